"""One prompt builder for training and for use: functions, states and answers as tokens, and back.

`vocabulary` and `spelling` know tokens; `view` writes source, `situation` states; `answer` is what
a model says, a short program over the known state that `apply` evaluates, and `plain` the one that
a statement itself gives; `track` follows a run and `alike` compares; `forward`, `backward`,
`arguments` and `values` are the four questions.  Reading is total: garbage is None.
"""
