"""Every command: where it is built, and one line of help. Reading this imports nothing."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """A command (``module:name``) or a group of them."""

    help: str
    path: str = ""
    group: dict[str, Entry] = {}


SHEETS = "kdmlog.cli.kdm"


def _kdm(name: str, help_: str) -> Entry:
    return Entry(help_, f"kdmlog.cli.games:{name}")


SURVIVOR = {
    "new": _kdm("SurvivorNew", "Create a survivor: a founder, later a name out of the population."),
    "list": Entry("List the survivors.", f"{SHEETS}_survivors:survivor_list"),
    "show": Entry("Show a survivor's record sheet.", f"{SHEETS}_survivors:survivor_show"),
    "rename": _kdm("SurvivorRename", "Give a survivor a name, or another one."),
    "player": _kdm("SurvivorPlayer", "Say whose survivor it is."),
    "weapon": _kdm(
        "SurvivorWeapon",
        "Choose the weapon type to become proficient with; another one loses all levels.",
    ),
    "death": _kdm("SurvivorDeath", "Word the cause of a death anew; nothing else changes."),
}
GEAR = {
    "show": Entry("Show a survivor's gear grid.", f"{SHEETS}_survivors:gear_show"),
    "put": _kdm("GearPut", "Put gear from storage into a grid."),
    "take": _kdm("GearTake", "Take gear out of a grid into storage."),
    "move": _kdm("GearMove", "Move gear within a grid; two cards change places."),
    "swap": _kdm("GearSwap", "Two survivors exchange the gear in two cells."),
}
SHOWDOWN = {
    "begin": _kdm(
        "ShowdownBegin",
        "Set up a showdown. The hunt before it is played on paper: say here who ambushed whom.",
    ),
    "join": _kdm(
        "ShowdownJoin",
        "Bring a survivor from the settlement for one who fell, where a card in play allows it.",
    ),
    "reorder": _kdm(
        "ShowdownReorder", "As the storyteller, put AI cards on top of the deck, in this order."
    ),
    "show": Entry("Show the showdown: monster, survivors, turn.", f"{SHEETS}_showdown:showdown"),
    "board": Entry(
        "Draw the board: who stands where, the blind spot, terrain, who is within reach.",
        f"{SHEETS}_showdown:showdown_board",
    ),
    "decks": Entry("Show the monster's decks by zone.", f"{SHEETS}_showdown:showdown_decks"),
}
MONSTER = {
    "turn": _kdm(
        "MonsterTurn", "Play the monster's turn: AI card, its actions, the end of the turn."
    ),
}
SETTLEMENT = {
    "show": Entry("Show the settlement's record sheet.", f"{SHEETS}_settlement:settlement_show"),
    "storage": Entry("Show resources and gear in storage.", f"{SHEETS}_settlement:storage"),
    "timeline": Entry("Show the timeline.", f"{SHEETS}_settlement:timeline"),
    "innovations": Entry("Show innovations and their deck.", f"{SHEETS}_settlement:innovations"),
    "locations": Entry("Show locations and what they offer.", f"{SHEETS}_settlement:locations"),
    "begin": _kdm(
        "SettlementBegin",
        "Begin the settlement phase: survivors return, heal and bring endeavors.",
    ),
    "name": _kdm("SettlementName", "Call the settlement by another name."),
    "event": _kdm("SettlementEvent", "Play the settlement event of the year."),
    "year": _kdm(
        "SettlementYear", "Update death count and timeline; trigger the year's story events."
    ),
    "innovate": _kdm(
        "SettlementInnovate",
        "Spend an endeavor, 1 bone, 1 organ and 1 hide: draw 2 innovations, keep 1.",
    ),
    "build": _kdm(
        "SettlementBuild", "Spend an endeavor and the cost on a new settlement location."
    ),
    "craft": _kdm("SettlementCraft", "Spend resources on gear, which goes to storage."),
    "endeavor": _kdm(
        "SettlementEndeavor",
        "Spend endeavors on what a location, innovation or event offers.",
    ),
    "end": _kdm(
        "SettlementEnd", "Record resources, lose unspent endeavors, end the settlement phase."
    ),
}
CAMPAIGN = {
    "rename": Entry("Call the campaign by another name.", "kdmlog.cli.free:Rename"),
    "hide": Entry(
        "Leave a campaign out of the list; nothing else about it changes.",
        "kdmlog.cli.campaigns:hide",
    ),
    "unhide": Entry("Bring a hidden campaign back into the list.", "kdmlog.cli.campaigns:unhide"),
    "remove": Entry(
        "Write a campaign to an archive, and take it out of the ledger.",
        "kdmlog.cli.campaigns:remove",
    ),
}
ODDS = {
    "attack": Entry(
        "Show the exact chances of an attack: hits, wounds, criticals.",
        f"{SHEETS}_numbers:odds_attack",
    ),
}
CONTENT = {
    "list": Entry("List the packs, or the records of a kind.", "kdmlog.cli.content:content_list"),
    "show": Entry("Show a record.", "kdmlog.cli.content:content_show"),
    "check": Entry("Check a pack's files.", "kdmlog.cli.content:content_check"),
    "update": Entry(
        "Play the game's packs as they are installed now.",
        "kdmlog.cli.content_change:content_update",
    ),
    "add": Entry(
        "Lay a pack of your own over those that the campaign plays.",
        "kdmlog.cli.content_change:content_add",
    ),
    "coverage": Entry(
        "Count scripted, assisted and missing records.", "kdmlog.cli.content:content_coverage"
    ),
    "sheet": Entry(
        "Print an example of the paper sheets that new --from takes over.",
        "kdmlog.cli.content:content_sheet",
    ),
}

COMMANDS: dict[str, Entry] = {
    "new": Entry("Start a campaign and use it.", "kdmlog.cli.campaigns:new"),
    "campaigns": Entry("List the campaigns.", "kdmlog.cli.campaigns:campaigns"),
    "campaign": Entry("Rename, hide or remove a campaign.", group=CAMPAIGN),
    "use": Entry("Use a campaign from now on.", "kdmlog.cli.campaigns:use"),
    "status": Entry(
        "Show where the game stands, what is open, what can be done now.",
        "kdmlog.cli.standing:status",
    ),
    "recap": Entry(
        "Tell of the last evening, what is open and what comes next.", "kdmlog.cli.recap:recap"
    ),
    "do": Entry("List the legal actions, or perform one by name.", "kdmlog.cli.standing:do"),
    "answer": Entry("Answer the open question.", "kdmlog.cli.standing:answer"),
    "roll": Entry("Log a free roll.", "kdmlog.cli.free:Roll"),
    "draw": Entry("Draw a card of one of the campaign's decks.", "kdmlog.cli.free:Draw"),
    "choose": Entry("Log what was chosen, freely.", "kdmlog.cli.free:Choose"),
    "note": Entry("Log a note.", "kdmlog.cli.free:Note"),
    "adjust": Entry("Correct a figure by hand, and say why.", "kdmlog.cli.free:adjust"),
    "assert": Entry(
        "Log a count taken at the real table; it must hold, now and ever after.",
        "kdmlog.cli.asserted:assert_",
    ),
    "log": Entry("List the moves, newest first.", "kdmlog.cli.log:log"),
    "show": Entry(
        "Show one action: as typed, rolls, draws, choices, facts.", "kdmlog.cli.log:show"
    ),
    "undo": Entry("Take back the last actions.", "kdmlog.cli.back:undo"),
    "redo": Entry("Bring back what was taken back.", "kdmlog.cli.back:redo"),
    "branch": Entry("List the branches, make one, or delete a name.", "kdmlog.cli.back:branch"),
    "switch": Entry("Go on on another branch.", "kdmlog.cli.back:switch"),
    "diff": Entry("Show what differs between two positions or branches.", "kdmlog.cli.look:diff"),
    "amend": Entry(
        "Correct an action of the past and play on from there, with the same dice and choices.",
        "kdmlog.cli.rebase:amend",
    ),
    "rebase": Entry("Play later actions again over another past.", "kdmlog.cli.rebase:rebase"),
    "oplog": Entry("List the history of history.", "kdmlog.cli.look:oplog"),
    "replay": Entry(
        "Go through the past, move by move, the table redrawn.", "kdmlog.cli.replay:replay"
    ),
    "verify": Entry("Check the ledger; silent when well.", "kdmlog.cli.look:verify"),
    "audit": Entry(
        "Hold the log against the rules, and its dice against chance.", "kdmlog.cli.audit:audit_"
    ),
    "why": Entry("Tell what made a figure what it is: moves, facts, rules.", "kdmlog.cli.why:why_"),
    "backup": Entry("Make a verified copy of the ledger.", "kdmlog.cli.keep:backup"),
    "recover": Entry(
        "Save what is whole in a ledger or a backup into a new file.", "kdmlog.cli.keep:recover"
    ),
    "state": Entry("Print the public state, or one path of it, as JSON.", "kdmlog.cli.look:state"),
    "events": Entry("Print the event stream as JSON lines.", "kdmlog.cli.look:events"),
    "export": Entry(
        "Write the campaign to a text file that import reads.", "kdmlog.cli.archive:export"
    ),
    "import": Entry(
        "Bring a campaign in from an archive: all of it, or nothing.",
        "kdmlog.cli.archive:import_",
    ),
    "compare": Entry(
        "Show which branches are ahead, behind or diverged from another copy's.",
        "kdmlog.cli.archive:compare",
    ),
    "play": Entry(
        "Play at the prompt: short words, prompts for dice and cards, ⏎ for the next step.",
        "kdmlog.cli.play:play",
    ),
    "run": Entry("Run a session script, a command a line.", "kdmlog.cli.script:run"),
    "demo": Entry(
        "Play the prologue with kdmlog's dice and show what there is.", "kdmlog.cli.demo:demo"
    ),
    "content": Entry("Content packs: look at them, check and change them.", group=CONTENT),
    "survivor": Entry("Survivors and their record sheets.", group=SURVIVOR),
    "gear": Entry("Gear grids.", group=GEAR),
    "showdown": Entry("The showdown.", group=SHOWDOWN),
    "control": _kdm(
        "Control",
        "Take the monster controller tile with another survivor, before the monster acts.",
    ),
    "monster": Entry("The monster.", group=MONSTER),
    "deploy": _kdm(
        "Deploy",
        "Put survivors on the board, all of them unless some are named, and begin the first turn.",
    ),
    "place": _kdm(
        "Place",
        "Put a survivor, the monster or a terrain tile on a space of the board; no movement.",
    ),
    "act": _kdm("Act", "Begin a survivor's act: 1 movement and 1 activation; another's act ends."),
    "move": _kdm("Move", "Spend a survivor's movement; without a board you move the miniature."),
    "attack": _kdm("Attack", "Attack the monster with a weapon, by default the last one used."),
    "activate": _kdm(
        "Activate",
        "Use gear, an ability or terrain nearby; throw a Founding Stone; command a retinue.",
    ),
    "consume": _kdm("Consume", "Eat or drink consumable gear or a resource."),
    "give": _kdm(
        "Give",
        "Hand a resource to another survivor; in a showdown in one's act, to those adjacent.",
    ),
    "share": _kdm(
        "Share", "Share out what was gained: resources that came home, to a survivor who did."
    ),
    "survival": _kdm(
        "SurvivalAction",
        "Spend survival between actions: dash, surge, march, or encourage somebody at any time.",
    ),
    "run-away": _kdm(
        "RunAway", "Run away from the showdown, each survivor for themself; it takes Pictographs."
    ),
    "end-act": _kdm("EndAct", "End the present act; what was not spent is lost."),
    "end-turn": _kdm("EndTurn", "End the survivors' turn, and with it the round."),
    "aftermath": _kdm("Aftermath", "End the showdown: victory with its rewards, or defeat."),
    "odds": Entry("Chances before a roll.", group=ODDS),
    "settlement": Entry("The settlement and its phase.", group=SETTLEMENT),
    "depart": _kdm(
        "Depart", "Choose the departing survivors and their quarry, or the nemesis they face."
    ),
}
