"""The symbols of codes and links, and their check symbols."""

SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
RANDOM_SYMBOLS, GROUP, MODULUS = 18, 4, 1021


def check_symbols(symbols: str) -> str:
    powers = [len(SYMBOLS) ** place for place in reversed(range(len(symbols)))]
    number = sum(map(int.__mul__, map(SYMBOLS.index, symbols), powers)) % MODULUS
    return SYMBOLS[number // len(SYMBOLS)] + SYMBOLS[number % len(SYMBOLS)]


def in_groups(symbols: str) -> str:
    return "-".join(symbols[start : start + GROUP] for start in range(0, len(symbols), GROUP))
