"""The neural proposer: an exported network, run by onnxruntime and numpy alone.

`folder` checks a model's files, `provider` chooses what runs it, `rewire` lets continuations share
a cache, `network` runs it, `sampling` draws distinct answers, `together` answers many prompts, and
`engine` joins these.  `proposer` asks for starts, `predict` for next states, `surprise` for how
unlikely a value is.  What it says is a guess until somebody verifies it.
"""
