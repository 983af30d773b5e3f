"""Straight code: branches, unpacking, lines that span and lines that share, deleted names."""


def classify(n, limit=10, *rest, flag=False, **more):
    """Say what n is."""
    if n < 0:
        kind = "negative"
    elif n == 0:
        kind = "zero"
    else:
        kind = "positive"
    big = (
        n > limit
        and not flag
    )
    a = 1; b = 2
    first, *others = [a, b, *rest]
    del a
    others.append(len(more))
    text = f"{kind} {first}"
    if big:
        return text.upper()
    assert others, "never empty"
    return text, others


def run():
    results = [
        classify(-1),
        classify(0, 5, 7, 8),
        classify(11, flag=True, x=1),
    ]
    results.append(classify(11))
    return results
