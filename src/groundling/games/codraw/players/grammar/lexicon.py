"""The lexicon of mentions: names and misspellings, words for several kinds, and parts that identify a
kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from groundling.boards.scene import KINDS, PEOPLE

_NAMES = """
helicopter: helicopter, copter, heli, chopper, helo, propellers, rotor, hellicopter, helicoptor
hot air balloon: hot air balloon, air balloon, hot balloon, hot air, travel balloon, fire balloon, hair
    balloon, parachute, basket, hot airballoon, air ballon, hot air ballon, balloon basket
cloud: plain cloud, normal cloud, regular cloud, fluffy cloud, white cloud, puffy cloud, non rain cloud, reg
    cloud, simple cloud
sun: sun, sunshine, son
lightning cloud: lightning cloud, lightning bolt cloud, lightning, lightning bolt, bolt cloud, thunder cloud,
    thundercloud, thunder, thunderbolt, lighting cloud, lighting bolt, lighting, lightening, lightening bolt,
    lightening cloud, storm cloud, bolt, thunderstorm, stormy cloud, light bolt, thunderstorm cloud, thunder
    bolt, thunder bolt cloud
rain cloud: rain cloud, rainy cloud, raining cloud, raincloud, rain, raining, raindrop, raindrops, rain drop,
    rain drops, rainy, cloud rain, rain storm
rocket: rocket, rocket ship, rocketship, space ship, spaceship, space shuttle, shuttle, rocker, missile,
    spacecraft
airplane: plane, airplane, air plane, aeroplane, jet, aircraft
spring bee: bee, spring bee, bee toy, toy bee, bee ride, spring toy, bouncy toy, bouncy bee, bumblebee, bumble
    bee, ride toy, bee spring, spring ride, bee rocker, bouncy ride, springy toy, spring, bee spring toy,
    bouncy, bee swing, toy, bouncer, bumblebee toy, spring rider, bee bouncer, ride on bee, spring animal, bee
    bouncy, rocking bee, bees, yellow toy
slide: slide, slid, slider, sliding board, slides
sandbox: sandbox, sand box, sand pit, sandpit, sand, box
grill: grill, bbq, barbecue, stove, bbq grill, bbq pit, barbecue grill, barbeque, bar b q, cooker, grille,
    barbecue pit
swing: swing, swing set, swingset, swings, set of swings, swing sets, swinging set
tent: tent, tend, camping tent, tents
picnic table: picnic table, table, bench, picnic bench, picnic, park bench, picnic tables
pine tree: pine tree, pine, evergreen tree, evergreen, christmas tree, fir tree, fir, xmas tree, x mas tree,
    pine trees, spruce, pointy tree, triangular tree, triangle tree, pines
oak tree: oak tree, oak, bushy tree, fluffy tree, leafy tree, maple tree, maple, bush tree, bush, tree bush,
    bubble tree, puffy tree, plain tree, regular tree, hole tree, bushy, normal tree, busy tree, deciduous
    tree, shade tree, full tree, tree hole, knot tree, cloud tree, leaf tree, oval tree, shaggy tree, owl
    tree, bumpy tree, rounded tree, oaktree, curly tree
apple tree: apple tree, apple, apples tree, cherry tree, fruit tree, red apple tree, cherry, apple trees
Mike: mike, boy, guy, man, male, dude, mikey, the kid mike, mikes, lad
Jenny: jenny, girl, woman, lady, female, jen, jennie, gal
bear: bear, grizzly
cat: cat, kitty, kitten, car
dog: dog, doggy, puppy, doggie, dong, god
duck: duck, ducky, goose, chicken
owl: owl, owls, own
snake: snake, serpent
star cap: star cap, blue cap, blue hat, star hat, baseball cap, baseball hat, ball cap, ball hat, cap, blue
    star hat, cap star, blue star cap, star baseball cap, blue ball cap, blue baseball cap, blue baseball hat,
    blue and white hat, hat star, cape, stared hat, starred hat, star ball cap, blue white hat, blue ballcap,
    ballcap, white star hat, star on hat
crown: crown, king hat, kings hat, king 's hat, king crown, kings crown, gold crown, tiara
chef hat: chef hat, chefs hat, chef 's hat, chef cap, chef 's cap, cooking hat, baker hat, bakers hat, baker
    's hat, chief hat, cook hat, cooks hat, cook 's hat, chef, white hat, kitchen hat, chefs cap
pirate hat: pirate hat, pirates hat, pirate 's hat, pirate cap, black hat, pirate, skull hat
winter hat: winter hat, winter cap, knit hat, knit cap, ski hat, ski cap, snow hat, snow cap, red hat, gray
    hat, grey hat, red beanie, gray beanie, grey beanie, red cap, gray cap, grey cap, wool hat, wool cap,
    stocking cap, toboggan, woolen hat, red and gray hat, red and grey hat, gray and red hat, grey and red
    hat, red and gray beanie, red and grey beanie, grey and red beanie, gray and red beanie, red gray hat, red
    grey hat, grey red hat, gray red hat, beanie red, beanie cap gray, warm hat, red knit hat, winter beanie,
    winter red hat, skull cap, red and gray cap, red and grey cap
propeller cap: propeller cap, propeller hat, propeller beanie, rainbow hat, rainbow cap, rainbow beanie,
    colorful hat, colorful cap, colorful beanie, color hat, color cap, colored hat, colored cap, colored
    beanie, multi color hat, beanie hat propeller, multicolored hat, multicolored cap, multicolored beanie,
    multi colored hat, multi colored cap, multi color cap, striped hat, striped cap, striped beanie, spinner
    hat, spinning hat, spinny hat, spin hat, spin cap, helicopter hat, helicopter cap, helicopter beanie,
    airplane hat, whirly hat, twirly hat, whirligig hat, pinwheel hat, multicolor hat, multicolor cap, color
    beanie, rainbow propeller hat, rainbow propeller cap, colorful propeller hat, spinner cap, fan hat, copter
    hat, propellor hat, multi hat, rainbow color hat, rainbow colored hat, rainbow striped hat, clown hat,
    jockey hat, spinner beanie, rainbow color cap, rainbow colored cap, rainbow spinner hat, colour hat, many
    colored hat, different color hat, color full hat, spinny cap, spinny beanie, beanie with a propeller,
    beanie with propeller, rainbow helicopter hat, rainbow, propeller on hat, propeller, hat propeller, twirly
    cap, beanie propeller
wizard hat: wizard hat, wizards hat, wizard 's hat, witch hat, witches hat, witch 's hat, purple hat, magician
    hat, wizard cap, wizard, witch, witch cap, magic hat, pointy hat, pointed hat, blue witch hat, blue wizard
    hat, cone hat, sorcerer hat, star witch hat, merlin hat, moon hat, wiz hat, magicians hat
viking helmet: viking helmet, viking hat, vikings hat, horn hat, horned hat, helmet, viking, horn helmet,
    horned helmet, horns hat, brown hat, viking cap, horn cap, horns, horn, hat horns, bull hat, bull horn
    hat, thor hat, vikings helmet, bull horns, barbarian hat, hat with 2 horns, hat with two horns, viking
    horns
glasses: purple glasses, purple sunglasses, purple shades, purple sun glasses, round glasses, blue glasses,
    pink glasses, purple glass, pink sunglasses, blue sunglasses, star glasses, purple eyeglasses, purple
    goggles, purple eye glasses, purple and white glasses, purple rimmed glasses, purple frame glasses, framed
    glass, purple framed glasses, round purple glasses, nerd glasses, reading glasses, blue shades, color
    glass, eyeglasses, eye glasses, spectacles, purple color glasses, purple round glasses, purple colored
    glasses, purple tinted glasses
sunglasses: sunglasses, black glasses, black sunglasses, dark glasses, dark sunglasses, shades, black shades,
    dark shades, sun glasses, black sun glasses, black glass, sunglass, cool glasses, black color glasses, sun
    shades, black framed glasses, black frame glasses, gray glasses, ray bans
pie: pie, cake, pi, apple pie, pies, cherry pie
pizza: pizza, pizza pie, pizza slice, slice of pizza
hot dog: hot dog, hotdog, hot dogs, sausage
ketchup: ketchup, catsup, ketchup bottle, bottle of ketchup, red bottle, ketch up, catsup bottle, ketsup, red
    ketchup, red ketchup bottle, red sauce, katsup
mustard: mustard, mustard bottle, bottle of mustard, yellow bottle, yellow mustard, yellow mustard bottle,
    yellow sauce
burger: burger, hamburger, cheeseburger, sandwich, burgers, ham burger
drink: drink, soda, soda can, cup, coke, pop, soda pop, cola, soda cup, drink cup, beverage, red cup, coke
    can, soft drink, a can, holding can, can of soda, can of coke, can of pop, soda glass, drink glass, straw,
    a glass, red glass, fountain drink, paper cup, glass of soda, cup of soda, juice, red drink, milkshake,
    pepsi, sods, sod, drinking cup
baseball: baseball, white ball, base ball, cricket ball, hard ball, softball
pail: pail, bucket, sand bucket, sand pail, pink bucket, pink pail, pale, beach bucket, buckets, sandbox
    bucket, beach pail, pain, red bucket, red pail
beach ball: beach ball, beachball, beach balls, colorful ball, rainbow ball, volleyball, striped ball,
    multicolored ball, colored ball, color ball, volley ball, ball beach, big ball, multi colored ball, beach
basketball: basketball, basket ball, orange ball, basketballs
soccer ball: soccer ball, soccer, soccerball, black and white ball, socker ball, soccer balls, white and black
    ball, sock ball
tennis ball: tennis ball, yellow ball, green ball, tennis balls, tennis, yellow green ball
football: football, rugby ball, rugby, foot ball, american football, football ball, ruby ball, brown ball
frisbee: frisbee, frisby, disc, frizbee, frisbees, disk, frisbe, flying saucer, flying disc, frisk
bat: bat, baseball bat, base ball bat, bats, cricket bat
balloons: balloons, ballons, bunch of balloons, party balloons, 4 balloons, four balloons, balloon bunch,
    orange balloon, party balloon, pink balloon, blue balloon, group of balloons, set of balloons, holding
    balloon, colorful balloons, bundle of balloons, helium balloons, baloons, holds balloon, holding a
    balloon, air balloons
glove: glove, mitt, baseball glove, baseball mitt, mit, baseball mit, catcher mitt, catchers mitt, catcher 's
    mitt, gloves, base ball glove, catchers mit
shovel: shovel, spade, sand shovel, shovels
racket: racket, tennis racket, racquet, tennis racquet, tennis rack, rackets, tennis bat, racket ball, tennis
    paddle
kite: kite, kit, kites, kite string
campfire: campfire, camp fire, fire, fire pit, firewood, fireplace, bonfire, fire place, fire wood, logs, log,
    wood fire, bon fire
"""

_FAMILIES = """
tree: oak tree, apple tree, pine tree = tree, trees
cloud: cloud, rain cloud, lightning cloud = cloud, clouds
ball: soccer ball, baseball, beach ball, tennis ball, basketball, football = ball, balls
hat: star cap, propeller cap, pirate hat, viking helmet, wizard hat, winter hat, chef hat, crown = hat, hats
beanie: winter hat, propeller cap = beanie, beanie hat, beanie cap
glasses: glasses, sunglasses = glasses, glass, eyewear
balloon: hot air balloon, balloons = balloon, ballon, baloon
bottle: ketchup, mustard = bottle
bird: owl, duck = bird
kid: Mike, Jenny = kid, child, person
"""
"""Words for several kinds, the most likely kind first."""

_PARTS = """
oak tree: hole, knot, hole in trunk, holes, hole in the trunk, knothole, knot hole, hole of tree, hole of the
    tree
apple tree: apples, cherries
slide: ladder, step, steps, rung, rungs, stairs, stair, ladders, slope, platform
sandbox: mound, pile, sand pile, pile of sand, mount, dune, hill, lump, sand mound, mound of sand, dirt, hump,
    sand hill, sand dune, bump, lump of sand, bump of sand, hill of sand, piles
tent: opening, door, flap, entrance
airplane: wing, wings, cockpit
helicopter: blades, blade
star cap: star
pail: pail handle
"""
"""Parts that only one kind has."""

_PRONOUNS = {
    **dict.fromkeys(("he", "him", "his", "himself"), "Mike"),
    **dict.fromkeys(("she", "her", "hers", "herself"), "Jenny"),
}
_BOTH = (
    "kids",
    "children",
    "people",
    "boy and girl",
    "girl and boy",
    "mike and jenny",
    "jenny and mike",
    "both kids",
)


class Mention(Struct, frozen=True, gc=False):
    """One or several pieces that a text mentions, as far as the words alone tell."""

    kinds: tuple[str, ...]
    """The possible kinds, the most likely first."""
    how: str = "name"
    """One of name, family, part, pronoun, both, they, it, that, all; absent if there is no such clip art."""
    owner: bool = False
    """Whether it owns what follows, as in "her" or "the boy's"."""
    word: str = ""
    part: str = ""
    """The part that was named last, as in "a tree with a hole"."""


def _parse_entries(table: str) -> Iterator[tuple[str, list[str]]]:
    for line in table.strip().replace("\n    ", " ").splitlines():
        kind, _, names = line.partition(":")
        yield kind.strip(), [" ".join(name.split()) for name in names.split(",")]


def _parse_families() -> dict[str, tuple[tuple[str, ...], list[str]]]:
    found = {}
    for line in _FAMILIES.strip().splitlines():
        name, _, rest = line.partition(":")
        members, _, words = rest.partition("=")
        found[name] = (
            tuple(kind.strip() for kind in members.split(",")),
            [word.strip() for word in words.split(",")],
        )
    return found


FAMILIES = _parse_families()
"""By name: the kinds, and the words that may mean each of them."""


def _build_lexicon() -> dict[tuple[str, ...], Mention]:
    found: dict[tuple[str, ...], Mention] = {}
    for table, how in ((_PARTS, "part"), (_NAMES, "name")):
        for kind, names in _parse_entries(table):
            assert kind in KINDS
            for name in names:
                found[tuple(name.split())] = Mention(
                    (kind,), how, word=name, part=name if how == "part" else ""
                )
                if how == "name" and not name.endswith("s"):
                    plural = Mention((kind,), how, owner=kind in PEOPLE, word=name)
                    found.setdefault(tuple(f"{name}s".split()), plural)
    for kinds, names in FAMILIES.values():
        found |= {tuple(name.split()): Mention(kinds, "family", word=name) for name in names}
    for word, who in _PRONOUNS.items():
        found[(word,)] = Mention((who,), "pronoun", owner=word in ("his", "her", "hers"), word=word)
    found |= {tuple(phrase.split()): Mention(PEOPLE, "both", word=phrase) for phrase in _BOTH}
    found |= {
        (word,): Mention((), "they", owner=word == "their", word=word) for word in ("they", "them", "their")
    }
    return found | {(word,): Mention((), "it", owner=word == "its", word=word) for word in ("it", "its")}


LEXICON = _build_lexicon()
LONGEST = max(map(len, LEXICON))


def lexicon_family_name(kinds: Sequence[str]) -> str:
    """Return the general word for all of these."""
    return next(name for name, (family, _) in FAMILIES.items() if set(kinds) <= set(family))


def restrict_lexicon_mention(mention: Mention, palette: frozenset[str]) -> Mention:
    """Restrict a mention to the palette. A kind that is not in it was called by a wrong name and is
    replaced by related ones."""
    if palette.issuperset(mention.kinds):
        return mention
    kinds = [kind for kind in mention.kinds if kind in palette]
    if not kinds:
        kin = [kind for family, _ in FAMILIES.values() if mention.kinds[0] in family for kind in family]
        kinds = [kind for kind in dict.fromkeys(kin) if kind in palette]
    how = "absent" if not kinds else "name" if mention.how == "family" and len(kinds) == 1 else mention.how
    return replace(mention, kinds=tuple(kinds), how=how)
