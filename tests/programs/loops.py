"""Loops of every kind, with equal states that have different successors."""


def run():
    total = 0
    for item in [0, 0, 0]:
        total += item
    count = 3
    while count > 0:
        count -= 1
        if count == 1:
            continue
        total += count
    else:
        total += 100
    for row in [[1, 2], [3]]:
        for cell in row:
            if cell == 2:
                break
            total += cell
        else:
            total += 10
    for i in range(2):
        for j in range(2):
            if i == j:
                continue
            total += i * 10 + j
    return total
