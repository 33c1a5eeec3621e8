"""The states that two sessions must end in, worked out by hand from the rulebook, line by line."""

from __future__ import annotations

from typing import Any

TABLE: dict[str, Any] = {
    "phase": {"name": "hunt", "step": "departed"},
    "settlement.name": "Lantern's Edge",
    "settlement.lantern_year": 1,
    # The card of the First Day gave 9; Ada came out of them.
    "settlement.population": 9,
    "settlement.death_count": 0,
    # 1, and Language's 1. Paint changes no limit.
    "settlement.survival_limit": 2,
    # Four returned; three built, one innovated.
    "settlement.endeavors": 0,
    "settlement.innovations": ["language", "paint"],
    # Language's six less Paint, and Paint's three.
    "settlement.innovation_deck": [
        "ammonia",
        "drums",
        "face_painting",
        "hovel",
        "inner_lantern",
        "pictograph",
        "sculpture",
        "symposium",
    ],
    "settlement.locations": ["lantern_hoard", "bone_smith", "skinnery", "organ_grinder"],
    "settlement.principles": [],
    "settlement.quarries": ["white_lion"],
    "settlement.milestones": [],
    # Ten cards: two criticals' and eight drawn. Innovating took a bone, an organ and a hide,
    # the vest the White Fur, the dagger the Skull.
    "settlement.storage.resources": {
        "sinew": 1,
        "great_cat_bones": 1,
        "lion_tail": 1,
        "lion_claw": 1,
        "shimmering_mane": 1,
    },
    "settlement.storage.gear": {},
    # Spent on the Strange Hand; 1 again when the settlement was named.
    "survivors.allister.survival": 1,
    "survivors.allister.strength": 1,
    "survivors.allister.courage": 1,
    "survivors.allister.understanding": 1,
    "survivors.allister.hunt_xp": 1,
    # Erased when the departing were chosen.
    "survivors.allister.skip_next_hunt": False,
    # A ruling of 2, and the Skull's 1: insane.
    "survivors.erza.insanity": 3,
    "survivors.erza.survival": 1,
    "survivors.erza.injuries.legs": [],
    # Dodged Chomp; named.
    "survivors.lucy.survival": 1,
    "survivors.lucy.grid": {"1": "cloth", "2": "founding_stone", "3": "bone_dagger"},
    # A broken hip: 1 movement less for good, no more dodging.
    "survivors.zachary.movement": 4,
    "survivors.zachary.severe_injuries": ["broken_hip"],
    "survivors.zachary.tokens.bleeding": 0,
    "survivors.zachary.injuries.body": [],
    # Cloth, worn again, and the vest.
    "survivors.zachary.armor": {"head": 0, "arms": 0, "body": 1, "waist": 1, "legs": 0},
    "survivors.ada.survival": 1,
    "survivors.ada.hunt_xp": 0,
    "survivors.ada.grid": {},
}

DEATH: dict[str, Any] = {
    "phase": {"name": "hunt", "step": "departed"},
    "settlement.population": 7,
    "settlement.death_count": 1,
    "settlement.survival_limit": 2,
    "settlement.endeavors": 0,
    "settlement.principles": ["graves"],
    "settlement.milestones": ["first_death"],
    "survivors.allister.status": "dead",
    "survivors.allister.grid": {},
    "survivors.allister.hunt_xp": 0,
    # Principle: Death, 7: the nominated survivor gains luck for good.
    "survivors.lucy.luck": 1,
    "survivors.zachary.courage": 1,
    "survivors.zachary.insanity": 1,
    # Knocked down by Size Up in the brain; healed on returning.
    "survivors.erza.injuries.brain": [],
    # The dead survivor's Cloth came home, and was given on; the stone lies in storage.
    "survivors.ada.grid": {"1": "cloth"},
    "settlement.storage.gear": {"founding_stone": 1},
    # Rawhide Gloves: +1 survival on departing, up to the limit of 2.
    "survivors.bea.survival": 2,
    "survivors.bea.armor": {"head": 0, "arms": 1, "body": 1, "waist": 0, "legs": 0},
}

SHOWDOWNS: dict[str, dict[str, Any]] = {
    "lion": {
        "settlement.population": 12,
        "settlement.death_count": 2,
        # It had been defeated before, so there is no first victory.
        "settlement.defeated": ["white_lion:1"],
        "settlement.locations": ["lantern_hoard", "bone_smith", "skinnery"],
        # Four basic and four lion cards, and the hide of a critical wound.
        "settlement.storage.resources": {
            "love_juice": 1,
            "question_marks": 1,
            "monster_bone": 1,
            "monster_hide": 2,
            "golden_whiskers": 1,
            "eye_of_cat": 1,
            "lion_claw": 1,
            "great_cat_bones": 1,
        },
        "settlement.endeavors": 4,
        "survivors.allister.hunt_xp": 3,
        # He wounded it with his dagger: the third level.
        "survivors.allister.weapon": {"type": "dagger", "level": 3},
        "survivors.lucy.hunt_xp": 1,
        "survivors.zachary.survival": 0,
        "survivors.zachary.injuries.brain": [],
    },
    "lion_table": {
        "settlement.population": 12,
        "settlement.defeated": ["white_lion:1"],
        # Four basic and four lion cards, and the claw of a critical wound.
        "settlement.storage.resources": {
            "monster_hide": 3,
            "question_marks": 1,
            "curious_hand": 1,
            "great_cat_bones": 1,
            "lion_claw": 2,
            "white_fur": 1,
        },
        "survivors.allister.weapon": {"type": "dagger", "level": 3},
        # Blind in one eye: 1 accuracy less for good.
        "survivors.erza.severe_injuries": ["blind"],
        "survivors.erza.accuracy": -1,
        "survivors.erza.courage": 1,
        "survivors.zachary.severe_injuries": ["intracranial_hemorrhage"],
        "survivors.zachary.survival": 1,
    },
    "butcher": {
        # Erza fell; deaths are counted with the year.
        "settlement.population": 13,
        "settlement.death_count": 3,
        "survivors.erza.status": "dead",
        "settlement.storage.gear": {
            "rawhide_headband": 1,
            "rawhide_vest": 1,
            "rawhide_gloves": 1,
            "rawhide_pants": 1,
            "rawhide_boots": 1,
            "bone_axe": 1,
            "butcher_cleaver": 1,
        },
        # The reward: 9 and its level are a cleaver and 1d5 broken lanterns, of which there are two.
        "settlement.storage.resources": {
            "monster_bone": 3,
            "monster_hide": 2,
            "scrap": 1,
            "broken_lantern": 2,
        },
        "settlement.defeated": ["white_lion:1", "butcher:1"],
        "survivors.allister.hunt_xp": 4,
        "survivors.allister.weapon": {"type": "sword", "level": 4},
        "survivors.lucy.weapon": {"type": "spear", "level": 3},
        "survivors.zachary.weapon": {"type": "dagger", "level": 2},
    },
    "butcher_table": {
        "settlement.population": 14,
        # The reward: 1 and its level are nothing.
        "settlement.storage.resources": {"monster_bone": 3, "monster_hide": 2, "scrap": 1},
        "settlement.defeated": ["white_lion:1", "butcher:1"],
        "settlement.endeavors": 4,
        "survivors.allister.insanity": 1,
        "survivors.allister.survival": 0,
        "survivors.allister.weapon": {"type": "sword", "level": 4},
        "survivors.erza.weapon": {"type": "axe", "level": 3},
        "survivors.zachary.armor": {"head": 2, "arms": 2, "body": 2, "waist": 2, "legs": 2},
    },
    "phoenix": {
        "settlement.population": 17,
        "settlement.defeated": [
            "white_lion:2",
            "screaming_antelope:2",
            "phoenix:1",
            "phoenix:2",
            "phoenix:3",
        ],
        # Four basic and eight phoenix cards, and the crest of the third level.
        "settlement.storage.resources": {
            "phoenix_crest": 1,
            "broken_lantern": 1,
            "monster_hide": 2,
            "monster_organ": 1,
            "muculent_droppings": 1,
            "phoenix_finger": 1,
            "tail_feathers": 3,
            "hollow_wing_bones": 1,
            "pustules": 2,
        },
        # A blood geyser; Peck had archived the helm and the greaves, and the maul is irreplaceable.
        "survivors.zachary.status": "dead",
        "settlement.storage.gear": {
            "lantern_helm": 1,
            "lantern_cuirass": 1,
            "lantern_gauntlets": 1,
            "lantern_mail": 1,
            "lantern_greaves": 1,
        },
        # One for each who returned, and 2 by Graves for the dead.
        "settlement.endeavors": 5,
        "survivors.allister.hunt_xp": 11,
        "survivors.allister.insanity": 3,
        # Age 3, with the tenth hunt XP.
        "survivors.erza.fighting_arts": ["combo_master"],
        "survivors.lucy.weapon": {"type": "spear", "level": 6},
    },
    "phoenix_table": {
        "settlement.population": 16,
        "survivors.lucy.status": "dead",
        "survivors.zachary.status": "dead",
        "settlement.endeavors": 6,
        "settlement.storage.gear": {
            "lantern_helm": 2,
            "lantern_cuirass": 2,
            "lantern_gauntlets": 2,
            "lantern_mail": 2,
            "lantern_greaves": 2,
        },
        "survivors.allister.severe_injuries": ["destroyed_genitals"],
        "survivors.allister.disorders": ["immortal"],
        # The roll for Face Painting, at the third level: the killer's speed for accuracy.
        "survivors.erza.speed": 2,
        "survivors.erza.accuracy": 1,
        # Age 3: two were drawn.
        "survivors.erza.fighting_arts": ["mighty_strike"],
        "survivors.erza.weapon": {"type": "grand_weapon", "level": 7},
    },
    "watcher": {
        # Lucy died, and four with her retinue; Allister of the terror.
        "settlement.population": 16,
        "settlement.defeated": [
            "white_lion:3",
            "screaming_antelope:2",
            "phoenix:1",
            "butcher:2",
            "kings_man:2",
            "the_hand:1",
            "watcher:1",
        ],
        # Blackout: the hoard is exhausted, beside what there was.
        "settlement.locations": [
            "lantern_hoard",
            "bone_smith",
            "skinnery",
            "catarium",
            "organ_grinder",
            "plumery",
            "exhausted_lantern_hoard",
        ],
        # Cannibalize: a basic resource for each of the dead.
        "settlement.storage.resources": {"skull": 1, "question_marks": 1},
        "survivors.lucy.status": "dead",
        "survivors.allister.status": "dead",
        # Victory: 1 strength for each who lived. A gaping chest wound had cost Lucy one.
        "survivors.allister.strength": 6,
        "survivors.erza.strength": 7,
        "survivors.lucy.strength": 5,
        "survivors.zachary.strength": 7,
        "survivors.allister.survival": 0,
        "survivors.erza.weapon": {"type": "spear", "level": 7},
    },
    "watcher_table": {
        "settlement.population": 22,
        "settlement.endeavors": 4,
        "survivors.allister.severe_injuries": ["deaf", "intracranial_hemorrhage"],
        "survivors.allister.evasion": 1,
        # 2 movement less by a destroyed back, 1 more at Age 3.
        "survivors.erza.severe_injuries": ["destroyed_back"],
        "survivors.erza.movement": 4,
        # 1 strength for the victory, 1 less by a broken arm; 1 accuracy less, too.
        "survivors.lucy.severe_injuries": ["broken_arm"],
        "survivors.lucy.strength": 6,
        "survivors.lucy.accuracy": 1,
        "survivors.zachary.insanity": 21,
    },
}
