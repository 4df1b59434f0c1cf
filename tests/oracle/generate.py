"""Random programs, one feature set each; the same seed gives the same programs."""
import random

from program import Program, Statement, is_sound

FEATURES = ("branches", "loops", "helpers", "views", "containers")
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

    def protect(self, block, creation, side, recorded):
        """What people do between the last side use and the release, right or wrong."""
        way = self.random.choice(("record", "record", "event", "event", "join", "third", "wrong record",
                                  "early", "sync", "nothing", "both", "own"))
        event = self.new_event()
        if way in ("event", "third", "early", "both"):
            recorded.append(event)
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

    def story(self, live, recorded):
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
        rest += self.protect(block, creation, side, recorded)
        rest.append(st("free", block))
        return rest

    def mixed(self, live, recorded, size):
        """Stories shuffled into each other, each in its own order, with statements out of the hat."""
        stories = [self.story(live, recorded) for _ in range(self.random.choice((1, 1, 2, 2, 3)))]
        own = []
        out, known = [], list(recorded)
        recorded[:] = []
        marked = []
        while any(stories) or len(out) < size:
            pick = [s for s in stories if s]
            if pick and self.chance(0.6):
                s = self.random.choice(pick).pop(0)
                if s.kind == "mark":
                    marked.append(s.names[0])
                out.append(s)
            else:
                s = self.any_statement(live, marked)
                if s is not None:
                    out.append(s)
            if len(out) > 3 * size:
                break
        for story in stories:
            out += story
        del own, known
        recorded[:] = marked
        return out

    def program(self, name):
        live, recorded = {}, []
        body = self.mixed(live, recorded, self.random.randint(4, 12))
        for block in list(live):
            if self.chance(0.8):
                body.append(st("free", block))
        return Program(name, len(self.streams), tuple(body), features=tuple(self.features))


def generate(seed, number, features=()):
    """Program `number` of the seed. Tries until the program is sound."""
    for attempt in range(100):
        maker = Maker(f"{seed}/{number}/{attempt}", features)
        program = maker.program(f"program_{number}")
        if is_sound(program):
            return program
    raise RuntimeError(f"no sound program for seed {seed}, number {number}")
