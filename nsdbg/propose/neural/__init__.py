"""The neural proposer: an exported network, run by onnxruntime and numpy alone.

`folder` checks a model's files, `provider` chooses what runs it, `network` runs it, `sampling`
draws distinct answers, `engine` joins these; `proposer` asks for starts, `predict` for next states
and `surprise` for how unlikely a value is.  What it says is a guess until somebody verifies it.
"""
