"""Random programs, one feature set each; the same seed gives the same programs."""
import random
import re
from dataclasses import replace

from program import Helper, Program, Statement, is_sound, walk

FEATURES = ("branches", "loops", "open loops", "helpers", "views", "containers")
MOST_LIVE = 4


def st(kind, *names, body=(), other=()):
    return Statement(kind, tuple(names), tuple(body), tuple(other))


class Maker:
    def __init__(self, seed, features):
        self.random = random.Random(seed)
        self.features = features
        self.streams = [f"s{i}" for i in range(self.random.choice((2, 2, 3, 3, 4)))]
        self.blocks = self.events = 0

    def chance(self, p):
        return self.random.random() < p

    def stream(self, other_than=None):
        return self.random.choice([s for s in self.streams if s != other_than])

    # ---- what may come next; `state` is (live: name -> creation stream, recorded events) ---------

    def new_block(self):
        self.blocks += 1
        return f"x{self.blocks - 1}"

    def new_event(self):
        self.events += 1
        return f"e{self.events - 1}"

    def use(self, live, stream=None, block=None):
        block = block or self.random.choice(list(live))
        stream = stream or self.stream()
        kind = self.random.choice(("fill", "read", "read", "copy"))
        others = [b for b in live if b != block]
        if kind == "copy" and others:
            return st("copy", stream, *self.random.sample([block, self.random.choice(others)], 2))
        return st("fill" if kind == "copy" else kind, stream, block)

    def any_statement(self, live, recorded):
        """One statement out of the hat; changes live and recorded as it does."""
        kinds = {"alloc": 2, "use": 6, "record": 2, "free": 2, "mark": 2, "wait": 3, "join": 2,
                 "sync_stream": 0.4, "sync_event": 0.4, "sync": 0.2}
        kind = self.random.choices(list(kinds), list(kinds.values()))[0]
        if kind == "alloc" and len(live) < MOST_LIVE:
            name, stream = self.new_block(), self.stream()
            live[name] = stream
            return st("alloc", name, stream)
        if kind == "use" and live:
            return self.use(live)
        if kind == "record" and live:
            return st("record", self.random.choice(list(live)), self.stream())
        if kind == "free" and live:
            name = self.random.choice(list(live))
            del live[name]
            return st("free", name)
        if kind == "mark":
            name = self.random.choice(recorded) if recorded and self.chance(0.3) else self.new_event()
            if name not in recorded:
                recorded.append(name)
            return st("mark", name, self.stream())
        if kind == "wait" and recorded:
            return st("wait", self.stream(), self.random.choice(recorded[-2:]))
        if kind == "join":
            stream = self.stream()
            return st("join", stream, self.stream(stream))
        if kind == "sync_event" and recorded:
            return st("sync_event", self.random.choice(recorded))
        if kind == "sync_stream":
            return st("sync_stream", self.stream())
        return st("sync") if kind == "sync" else None

    def protect(self, block, creation, side):
        """What people do between the last side use and the release, right or wrong."""
        way = self.random.choice(("record", "record", "event", "event", "join", "third", "wrong record",
                                  "early", "sync", "nothing", "both", "own"))
        event = self.new_event()
        other = self.stream(creation)
        return {
            "record": [st("record", block, side)],
            "event": [st("mark", event, side), st("wait", creation, event)],
            "join": [st("join", creation, side)] if creation != side else [],
            "third": [st("mark", event, side), st("wait", other, event)],
            "wrong record": [st("record", block, other)],
            "early": [st("mark", event, side), self.use({block: 0}, side, block),
                      st("wait", creation, event)],
            "sync": [self.random.choice((st("sync_stream", side), st("sync")))],
            "nothing": [],
            "both": [st("record", block, side), st("mark", event, side), st("wait", creation, event)],
            "own": [st("record", block, creation)],
        }[way]

    def mixed_story(self):
        """A story with noise in it: what a turn of a loop does."""
        story = self.story()
        for _ in range(self.random.randrange(3)):
            s = self.any_statement({}, [])
            if s is not None and s.kind != "alloc":
                story.insert(self.random.randrange(len(story)), s)
        return story

    def story(self):
        """Made, used aside, protected somehow, released; with noise in between."""
        block, creation, side = self.new_block(), self.stream(), self.stream()
        rest = [st("alloc", block, creation)]
        if self.chance(0.7):
            rest.append(st("fill", creation, block))
        if creation != side and self.chance(0.8):
            rest.append(st("join", side, creation))
        rest.append(self.use({block: creation}, side, block))
        if self.chance(0.3):
            rest.append(self.use({block: creation}, self.stream(), block))
        rest += self.protect(block, creation, side)
        rest.append(st("free", block))
        return rest

    def mixed(self, live, size):
        """Stories shuffled into each other, each in its own order, with statements out of the hat."""
        stories = [self.story() for _ in range(self.random.choice((1, 1, 2, 2, 3)))]
        out, marked = [], []
        while any(stories) or len(out) < size:
            pick = [s for s in stories if s]
            if pick and self.chance(0.6):
                s = self.random.choice(pick).pop(0)
                if s.kind == "mark":
                    marked.append(s.names[0])
            else:
                s = self.any_statement(live, marked)
            if s is not None:
                out.append(s)
            if len(out) > 3 * size:
                break
        return out + [s for story in stories for s in story]

    def straight(self):
        live = {}
        body = self.mixed(live, self.random.randint(4, 12))
        return body + [st("free", block) for block in live if self.chance(0.8)]

    def program(self, name):
        shape = Shape(self, name)
        for feature in self.features:
            getattr(shape, feature)()
        return Program(name, len(self.streams), tuple(shape.body), tuple(shape.helpers), tuple(self.features))


def names_in(body):
    for s in walk(body):
        yield from s.names


def renamed(body, table):
    return [replace(s, names=tuple(table.get(n, n) for n in s.names), body=tuple(renamed(s.body, table)),
                    other=tuple(renamed(s.other, table))) for s in body]


class Shape:
    """A straight-line program that is given features one after another."""

    def __init__(self, maker, name):
        self.maker, self.random, self.chance = maker, maker.random, maker.chance
        self.number = name.split("_")[1]
        self.body, self.helpers = maker.straight(), []

    def some_run(self, longest=5):
        """Where a run of statements begins and ends, at the top."""
        at = self.random.randrange(len(self.body))
        return at, min(len(self.body), at + self.random.randint(1, longest))

    # ---- branches ----

    def condition(self):
        flag = f"flag{self.random.choice((0, 0, 0, 1, 1, 2))}"
        return self.random.choice((flag, flag, f"!{flag}", f"!{flag}", f"{flag} && flag1", f"{flag} || flag2"))

    def branches(self):
        for _ in range(self.random.choice((1, 2, 2, 3))):
            kind = self.random.random()
            if kind < 0.15:
                self.leave()
                continue
            at, end = self.some_run()
            run = tuple(self.body[at:end])
            other = ()
            if kind < 0.5:  # both arms do much the same
                other = tuple(s for s in run if self.chance(0.8))
            elif kind < 0.65:
                other, run = run, tuple(s for s in run if s.kind == "free")
            self.body[at:end] = [st("if", self.condition(), body=run, other=other)]

    def leave(self):
        """An early way out; with goto, what stands behind the label runs in any case."""
        at = self.random.randrange(len(self.body) + 1)
        if self.chance(0.4) or any(s.kind == "label" for s in self.body):
            out = [st("free", n) for n in self.alive(at) if self.chance(0.7)]
            self.body.insert(at, st("if", self.condition(), body=(*out, st("return"))))
            return
        label = self.random.randint(at, len(self.body))
        self.body.insert(label, st("label"))
        self.body.insert(at, st("if", self.condition(), body=(st("goto"),)))

    def alive(self, at, body=None):
        live = []
        for s in walk((self.body if body is None else body)[:at]):
            if s.kind == "alloc":
                live.append(s.names[0])
            elif s.kind == "free" and s.names[0] in live:
                live.remove(s.names[0])
        return live

    # ---- loops ----

    def loops(self):
        for _ in range(self.random.choice((1, 1, 2))):
            kind = self.random.random()
            if kind < 0.45:
                story = self.maker.mixed_story()
                at = self.random.randrange(len(self.body) + 1)
                self.body[at:at] = [self.loop(story)]
            elif kind < 0.6:
                at = self.random.randrange(len(self.body) + 1)
                self.body[at:at] = self.in_flight()
            else:
                at, end = self.some_run()
                self.body[at:end] = [self.loop(self.body[at:end])]

    def loop(self, body, times=None):
        counters = {s.names[0] for s in walk(self.body + list(body)) if s.kind == "loop"}
        name = next(n for n in ("i", "j", "k", "l", "m", "n") if n not in counters)
        return st("loop", name, times or self.random.choice("223"), body=tuple(body))

    # ---- loops of a count that nobody sees ----

    def open_loops_(self):
        for _ in range(self.random.choice((1, 1, 2))):
            kind = self.random.random()
            at = self.random.randrange(len(self.body) + 1)
            if kind < 0.35:  # one statement, which may not run at all, or a few of them
                at, end = self.some_run(1 if self.chance(0.6) else 4)
                self.body[at:end] = [self.open_loop(self.body[at:end])]
            elif kind < 0.65:
                self.body[at:at] = [self.open_loop(self.maker.mixed_story())]
            elif kind < 0.85:
                first, release = self.in_flight()
                self.body[at:at] = [self.open_loop(first.body), release]
            else:
                self.body[at:at] = self.marked_again(self.maker.story())

    def open_loop(self, body):
        """Sometimes left in the middle."""
        body = list(body)
        if self.chance(0.4):
            at = self.random.randrange(len(body) + 1)
            out = [st("free", n) for n in self.alive(at, body) if self.chance(0.8)]
            how = "break" if self.chance(0.7) else "continue"
            body.insert(at, st("if", self.condition(), body=(*out, st(how))))
        return self.loop(body, "count")

    def marked_again(self, story):
        """An event of the story may be recorded again, on another stream, before it is waited for."""
        for i, s in enumerate(story):
            if s.kind == "mark":
                again = st("mark", s.names[0], self.maker.stream(s.names[1] if self.chance(0.8) else None))
                return story[:i + 1] + [self.open_loop([again])] + story[i + 1:]
        return [self.open_loop(story)]

    def in_flight(self):
        """Each turn releases the block of the turn before."""
        story = [s for s in self.maker.story() if s.kind != "free"]
        block = story[0].names[0]
        last = f"last_{block}"
        wait = [s for s in story if s.kind in ("wait", "join")][-1:] if self.chance(0.5) else []
        release = [st("free", last), st("alias", last, block)]
        return [self.loop(story + wait + release), st("free", last)]

    # ---- helpers ----

    def helpers_(self):
        for _ in range(self.random.choice((1, 1, 2))):
            at, end = self.some_run(4)
            self.extract(at, end)

    def extract(self, at, end):
        """Puts a run of statements into a function of its own."""
        run = self.body[at:end]
        if any(s.kind in ("label", "goto", "return") for s in walk(run)):
            return
        made = {s.names[0] for s in walk(run) if s.kind in ("alloc", "view", "alias")}
        made |= {s.names[1] for s in walk(run) if s.kind == "call" and s.names[1]}
        marked = {s.names[0] for s in walk(run) if s.kind == "mark"}
        outside = set(names_in(self.body[:at] + self.body[end:]))
        result = sorted(made & outside)
        if len(result) > 1 or marked & outside or any(re.search(r"\[[a-z]\]", n) for n in made & outside):
            return
        flags = sorted({n for s in walk(run) for n in re.findall(r"flag\d|\bcount\b", " ".join(s.names))})
        inner, params, given = {}, [("flag", n) for n in flags], list(flags)
        for n in names_in(run):
            kind = kind_of(n)
            if kind is None or n in made or n in marked or n in inner:
                continue
            inner[n] = {"block": "x", "stream": "t", "event": "e"}[kind] + f"_{len(params)}"
            params.append((kind, inner[n]))
            given.append(n)
        name = f"step{len(self.helpers)}_of_{self.number}"
        returns = result[0] if result else ""
        self.helpers.append(Helper(name, tuple(params), tuple(renamed(run, inner)), returns))
        call = [st("call", name, returns, *given)]
        if self.chance(0.25) and not returns:
            again = [self.random.choice(self.maker.streams) if n in self.maker.streams and self.chance(0.5) else n
                     for n in given]
            call.append(st("call", name, "", *again))
        self.body[at:end] = call

    # ---- views ----

    def views(self):
        made = [s.names[0] for s in self.body if s.kind == "alloc"]
        for block in made:
            if not self.chance(0.6):
                continue
            kind = "view" if self.chance(0.6) else "alias"
            name = f"v_{block}" if kind == "view" else f"x_{block}"
            for i, s in enumerate(self.body):
                if s.kind == "alloc" and s.names[0] == block:
                    at = i + 1
            wanted = ("fill", "copy", "read") if kind == "view" else ("fill", "copy", "read", "record", "free")
            for i in range(at, len(self.body)):
                s = self.body[i]
                if s.kind in wanted and block in s.names and self.chance(0.6):
                    self.body[i] = replace(s, names=tuple(name if n == block else n for n in s.names))
            self.body.insert(at, st(kind, name, block))

    # ---- containers ----

    def containers(self):
        blocks = sorted({n for n in names_in(self.body) if re.fullmatch(r"x\d+", n)})
        events = sorted({n for n in names_in(self.body) if re.fullmatch(r"e\d+", n)})
        table = {}
        if self.chance(0.5):
            table.update({n: f"a0[{i}]" for i, n in enumerate(blocks)})
        else:
            table.update({n: f"w{i}.block" for i, n in enumerate(blocks)})
            table.update({n: f"w{i}.done" for i, n in enumerate(events[:len(blocks)])})
        self.body = renamed(self.body, table)
        if self.chance(0.4):
            at = self.random.randrange(len(self.body) + 1)
            self.body[at:at] = self.batch()

    def batch(self):
        """An array of blocks, made, used and released in loops over it."""
        story = self.maker.story()
        block, name = story[0].names[0], f"a{1 + self.maker.blocks}[i]"
        story = renamed(story, {block: name})
        cut = self.random.randint(1, len(story) - 1)
        return [st("loop", "i", "2", body=tuple(story[:cut])), st("loop", "i", "2", body=tuple(story[cut:]))]


def kind_of(name):
    if re.match(r"[xvaw]\w*(\[|\.block|$)", name) or name.startswith("last"):
        return "block"
    if re.fullmatch(r"s\d+|t_\d+", name):
        return "stream"
    return "event" if re.fullmatch(r"e_?\d+|w\d+\.done", name) else None


# Features are added in this order, so that later ones meet what earlier ones made.
SETS = ((), (), ("views",), ("containers",), ("branches",), ("loops",), ("helpers_",), ("views", "helpers_"),
        ("loops", "branches"), ("views", "branches"), ("containers", "loops"), ("loops", "helpers_"), ("branches", "helpers_"),
        ("containers", "branches"), ("views", "loops", "branches"), ("containers", "loops", "branches", "helpers_"),
        ("open_loops_",), ("open_loops_", "branches"), ("views", "open_loops_"), ("containers", "open_loops_"),
        ("loops", "open_loops_"), ("open_loops_", "helpers_"))


def features_of(number):
    return SETS[number % len(SETS)]


def generate(seed, number, features=None):
    """Program `number` of the seed. Tries until the program is sound and has what it shall have."""
    wanted = features_of(number) if features is None else features
    for attempt in range(200):
        maker = Maker(f"{seed}/{number}/{attempt}", wanted)
        program = maker.program(f"program_{number}")
        if has(program, wanted) and is_sound(program):
            return replace(program, features=tuple(f.rstrip("_").replace("_", " ") for f in wanted))
    raise RuntimeError(f"no sound program for seed {seed}, number {number}")


def has(program, features):
    kinds = {s.kind for s in walk(program.body)} | {s.kind for h in program.helpers for s in walk(h.body)}
    shown = {"branches": "if", "loops": "loop", "open_loops_": "loop", "helpers_": "call"}
    return all(shown[f] in kinds for f in features if f in shown)
