"""What is done with a few pure modules of the standard library, each with its import."""

TABLE = r"""
1 list[str] -> dict[str, int] : dict(Counter({0}))  # collections.Counter
1 str -> dict[str, int] : dict(Counter({0}))  # collections.Counter
1 list[int] -> dict[int, int] : dict(Counter({0}))  # collections.Counter
1 str -> list[tuple[str, int]] : Counter({0}).most_common(2)  # collections.Counter
1 list[str] -> list[tuple[str, int]] : Counter({0}).most_common()  # collections.Counter
1 str; letter -> int : Counter({0})[{1}]  # collections.Counter
?1 list[int] -> int : Counter({0}).most_common(1)[0][0]  # collections.Counter
1 list[int] -> list[int] : list(accumulate({0}))  # itertools.accumulate
1 list[list[int]] -> list[int] : list(chain(*{0}))  # itertools.chain
1 list[str] -> list[str] : list(chain.from_iterable({0}))  # itertools.chain
1 list[int] -> int : len(list(combinations({0}[:4], 2)))  # itertools.combinations
1 str -> list[str] : [k for k, g in groupby({0})]  # itertools.groupby
1 list[int]; small -> list[int] : list(takewhile(lambda x: x < {1}, {0}))  # itertools.takewhile
1 list[T]; size -> list[T] : list(islice({0}, {1}))  # itertools.islice
1 list[int] -> int : reduce(lambda x, y: x - y, {0}, 0)  # functools.reduce
1 list[str] -> str : reduce(lambda x, y: y + x[:8], {0}, '')  # functools.reduce
1 int -> int : math.isqrt(abs({0}))  # math
1 int; small -> int : math.gcd({0}, {1})  # math
1 list[int] -> int : math.prod({0}[:3])  # math
1 float -> int : math.floor({0})  # math
1 float -> int : math.ceil({0})  # math
1 int -> float : round(math.sqrt(abs({0})), 2)  # math
!1 int -> float : round(math.log({0}), 2)  # math
1 str -> str : re.sub(r'\d+', '#', {0})  # re
1 str -> str : re.sub(r'[aeiou]', '', {0})  # re
1 str; fill -> str : re.sub(r'\s+', {1}, {0})  # re
1 str -> list[str] : re.findall(r'\w+', {0})  # re
1 str -> list[str] : re.findall(r'[A-Z]', {0})  # re
1 str -> list[int] : [int(n) for n in re.findall(r'\d+', {0})]  # re
1 str -> list[str] : re.split(r'[,;\s]+', {0})  # re
1 str -> bool : re.match(r'[a-z]+$', {0}) is not None  # re
1 char -> int : string.ascii_lowercase.find({0})  # string
1 char -> bool : {0} in string.punctuation  # string
1 str -> str : ''.join(c for c in {0} if c in string.ascii_letters)  # string
1 str -> str : string.capwords({0})  # string
1 list[T] -> list[T] : list(deque({0}, maxlen=3))  # collections.deque
"""
