"""Names for functions, parameters and locals, as people give them to values of each kind."""

from __future__ import annotations

from nsdbg.programs.kinds import Kind


def pool(text: str) -> tuple[str, ...]:
    """Return the words of a text."""
    return tuple(text.split())


ANY = pool(
    """value item data obj result res out output ans answer acc cur current temp tmp final new
    old other rest first second left right x y z t q u buf part piece chosen extra found"""
)
BY_KIND: dict[str, tuple[str, ...]] = {
    "str": pool(
        """text s word line sentence message phrase name title txt st content source label
        key prefix suffix code chunk token body msg path tag header pattern raw cleaned joined
        reversed_text new_text upper lower stripped"""
    ),
    "char": pool("c ch char letter sep symbol mark sym digit x ch1 first_char last_char"),
    "int": pool(
        """n k m i j num count total size limit index number length idx pos start end step amount
        score level width offset diff shift best low high target threshold value age"""
    ),
    "bool": pool("flag ok found valid is_valid done match same seen has_more changed state empty"),
    "float": pool("ratio avg mean rate price x y scale weight half factor value total score"),
    "bytes": pool("raw payload blob encoded buf packet data chunk"),
    "list": pool(
        """items lst values arr xs array elements data seq result out collection stack queue
        group rows entries selected rest pool"""
    ),
    "list[int]": pool(
        """nums numbers values arr lst scores digits counts xs array sizes lengths ints ages prices
        nums1 nums2 weights steps points total_list evens odds"""
    ),
    "list[str]": pool(
        """words names items parts tokens lines lst strings fields tags chars letters pieces labels
        keys texts titles fruits array1 cols"""
    ),
    "list[list[int]]": pool("matrix grid rows table groups lists board mat chunks"),
    "list[list[str]]": pool("rows table groups lines grid sections"),
    "tuple": pool("pair point entry record item t tup span best combo"),
    "set": pool("seen unique chars uniq visited pool group common members letters vowels"),
    "dict": pool(
        """d dic mapping table lookup counts data info cache index result record groups dct
        inventory prices ages config scores freq dict1 my_dict by_key stock"""
    ),
}
VERBS = pool(
    """get find make count build check clean convert compute process parse format join split
    filter sort reverse merge replace remove add update collect group select encode mask shift
    swap rotate expand compress normalize extract sum trim pick fix move apply transform"""
)
NOUNS = pool(
    """text words items values list string data lines parts numbers keys pairs tokens names
    letters digits fields records result total matrix counts prefix tail chars groups index"""
)
WHOLE = pool("f f f f solve func process foo run main task compute handle g transform helper calc")
CLASSES = pool(
    """Stack Queue Account Item Node Box Bank Cache Registry Tracker Parser Point Pair
    Store Basket Player Shape Team Buffer Ledger Record Robot Walker Meter Wallet Library"""
)


def pool_of(kind: Kind) -> tuple[str, ...]:
    """Return the names that fit a kind."""
    return POOLS.get(kind) or POOLS.setdefault(
        kind, BY_KIND.get(kind) or BY_KIND.get(kind.split("[")[0], ANY)
    )


POOLS: dict[Kind, tuple[str, ...]] = {}
