"""Memory over the calls of a program, from traces that sar-run wrote, as an SVG.

    python3 plot.py OUT.svg TITLE NAME=TRACE.tsv [NAME=TRACE.tsv ...]
"""
import sys

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT = 860, 420, 70, 48, 52, 20
COLOURS = ("#c0392b", "#1f6fb2", "#2e8b57", "#8e5aa8")
MIB = 1 << 20


def read(path):
    """(step, active) for each entry of the trace."""
    with open(path) as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    return [(int(r[0]), int(r[6]) / MIB) for r in rows]


def nice(top):
    step = 1
    while top / step > 8:
        step *= 2
    return step


def steps(points, x, y):
    """A staircase: memory changes at calls and stays between them."""
    path, last = [], None
    for step, value in points:
        if last is not None:
            path.append(f"{x(step):.1f},{y(last):.1f}")
        path.append(f"{x(step):.1f},{y(value):.1f}")
        last = value
    return " ".join(path)


def main():
    out, title = sys.argv[1], sys.argv[2]
    series = [(arg.split("=", 1)[0], read(arg.split("=", 1)[1])) for arg in sys.argv[3:]]
    top = max(v for _, points in series for _, v in points) * 1.05
    # Each series is stretched over the whole width: forms differ in the number of their calls.
    def scale(points):
        last = points[-1][0] or 1
        return lambda s: LEFT + (WIDTH - LEFT - RIGHT) * s / last

    def y(v):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * v / top

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="26" font-size="16">{title}</text>',
    ]
    step = nice(top)
    for k in range(int(top / step) + 1):
        v = k * step
        lines.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(v):.1f}" y2="{y(v):.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{y(v) + 4:.1f}" text-anchor="end">{v}</text>')
    for i, (name, points) in enumerate(series):
        colour = COLOURS[i % len(COLOURS)]
        lines.append(
            f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{steps(points, scale(points), y)}"/>'
        )
        peak = max(v for _, v in points)
        lines.append(
            f'<text x="{LEFT + 14}" y="{TOP + 18 + 20 * i}" fill="{colour}">{name}: peak {peak:.1f} MiB</text>'
        )
    lines.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 14}" text-anchor="middle">'
        "progress of the program, in calls of the allocator</text>"
    )
    lines.append(
        f'<text x="18" y="{(TOP + HEIGHT - BOTTOM) / 2}" text-anchor="middle" '
        f'transform="rotate(-90 18 {(TOP + HEIGHT - BOTTOM) / 2})">active memory, MiB</text>'
    )
    lines.append("</svg>")
    with open(out, "w") as f:
        f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
