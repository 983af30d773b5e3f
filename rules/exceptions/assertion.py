"""Where `assertion` must speak, and where it must stay silent."""


def propose_a_bare_assertion():
    total = 3
    assert total == 4


def propose_an_assertion_with_words():
    rows = []
    assert rows, "there are no rows"


def propose_a_comparison():
    low, high = 4, 3
    assert low < high and low > 0, (low, high)


def silent_a_true_one():
    assert 3


def silent_another_error():
    raise ValueError("assert")
