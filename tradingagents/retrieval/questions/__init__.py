"""The one reader of questions: companies, periods, days, figures and the kind of question; see `reading`."""
