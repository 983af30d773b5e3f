"""What a neural debugger reaches on functions that it was not trained on, beside no network.

`held` reads episodes, `questions` draws what is asked, `forward` asks and judges, `baselines` are
answers without a network; `inverse` has earlier states confirmed, `outputs` and `inputs` measure on
CRUXEval's functions, `savings` what a network spares; `exported` reads what was measured at export,
and `cost` measures what a token takes.
"""
