"""Coroutines driven by hand: await, `async with`, `async for` and a task that is left waiting."""


class Pause:
    def __await__(self):
        got = yield "pause"
        return got


class Gate:
    async def __aenter__(self):
        await Pause()
        return "gate"

    async def __aexit__(self, kind, value, traceback):
        return False


async def ticks(n):
    for i in range(n):
        yield i
        await Pause()


async def work(n):
    total = 0
    async with Gate() as name:
        total += len(name)
    async for tick in ticks(n):
        total += tick
    return total


def run():
    task = work(2)
    pauses = 0
    try:
        while True:
            task.send(None)
            pauses += 1
    except StopIteration as stop:
        return stop.value, pauses
