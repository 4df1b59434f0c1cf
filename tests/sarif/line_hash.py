"""The line hash of GitHub's upload action, written from its description (check 35 of the bar)."""

BASE, WINDOW, END = 37, 100, 65535


def units(data):
    """UTF-16 units of a source as a reader of UTF-8 sees it; bad bytes are U+FFFD each."""
    text = data.decode("utf-8", "replace").encode("utf-16-le", "surrogatepass")
    return [text[i] | text[i + 1] << 8 for i in range(0, len(text), 2)]


def hashes(data):
    """The hash of each line, such as "39fa2ee980eb94b0:1"."""
    kept, starts, new_line, after_cr = [], [], True, False
    for unit in units(data) + [END]:
        if unit in (32, 9) or (unit == 10 and after_cr):
            after_cr = False
            continue
        after_cr = unit == 13
        if new_line:
            starts.append(len(kept))
        kept.append(10 if unit == 13 else unit)
        new_line = kept[-1] == 10
    kept += [0] * WINDOW
    seen, named = {}, []
    for start in starts:
        value = 0
        for unit in kept[start:start + WINDOW]:
            value = (value * BASE + unit) % 2 ** 64
        seen[value] = seen.get(value, 0) + 1
        named.append("%x:%d" % (value, seen[value]))
    return named
