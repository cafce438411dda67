"""Answers of vendors, recorded and made up, changed in every way that vendors change them: what reaches an agent then?

A case changes the responses of one endpoint of one vendor, on the wire, and asks tools through the routing, with the
vendors' real client libraries. What the tools answer is held against what they answer to the unchanged responses.
`python -m benchmarks.vendor_mutations` runs the cases and writes the table of docs/reference/vendor-drift.md.
"""
