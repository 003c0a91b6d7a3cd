"""The editor of items in a real browser: what it shows, and what it never does to the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.browser.live import LiveServer, People, admin_token

from groundling.games.director.item_sheet import Sheet, our_item_sheet, read_item_sheet
from groundling.games.director.items import load_items
from groundling.games.director.sheet_edits import encode_edited_sheet

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
FEW = 40


def few_items() -> Sheet:
    """Some of ours, with both knives that are looked for: a page with all of them takes long."""
    ours = our_item_sheet()
    knives = [item for item in ours.items if item.name in ("red knife", "black knife")]
    others = [item for item in ours.items if item not in knives]
    return msgspec.structs.replace(ours, items=(*knives, *others[:: len(others) // FEW]))


def open_editor(server: LiveServer, people: People, sheet: Sheet) -> Page:
    """With these items in the file."""
    server.items.write_bytes(encode_edited_sheet(sheet))
    page = people.person()
    page.goto(f"{server.url}/admin/login#{admin_token()}")
    page.click("#pages >> text=Items")
    page.wait_for_selector("#list img")
    page.on("dialog", lambda dialog: dialog.accept())
    return page


@pytest.fixture
def editor(server: LiveServer, people: People) -> Page:
    return open_editor(server, people, few_items())


def find(page: Page, name: str) -> None:
    page.fill("#search", name)
    page.click(f"#list button:has-text('{name}') >> nth=0")
    page.wait_for_selector(f"#form h2:has-text('{name}')")


def save(page: Page) -> None:
    page.wait_for_selector("#save:enabled")
    page.click("#save")
    page.wait_for_selector("#saved:has-text('Saved')")


def test_what_there_is_is_listed_searched_and_counted(server: LiveServer, people: People) -> None:
    editor, ours = open_editor(server, people, our_item_sheet()), load_items()
    assert editor.locator("#list li").count() == len(ours.entries)
    assert "2300 questions can be asked, 355 of them about how items behave" in editor.inner_text("#count")
    editor.fill("#search", "sharp metal")
    shown = editor.locator("#list li").count()
    assert shown == len(ours.items_with_tags(["sharp", "metal"]))
    assert editor.inner_text("#found") == f"{shown} of {len(ours.entries)}"


def test_an_item_is_copied_changed_drawn_and_saved(editor: Page, server: LiveServer) -> None:
    find(editor, "red knife")
    editor.click("#form >> text=Copy")
    editor.fill("#name", "green knife")
    editor.press("#name", "Tab")
    before = editor.get_attribute("#form img", "src")
    editor.click("#form [aria-label='Take away red']")
    editor.select_option("#slot-colour-add", "green")
    editor.wait_for_selector("#save:enabled")
    assert editor.get_attribute("#form img", "src") != before
    save(editor)
    found = load_items(server.items)
    assert found.entries["green knife"].colour == ("green",)
    assert found.entries["green knife"].drawing == found.entries["red knife"].drawing
    assert len(found.entries) == len(few_items().items) + 1


def test_everything_can_be_undone_and_done_again(editor: Page, server: LiveServer) -> None:
    find(editor, "red knife")
    editor.click("#form >> text=Remove")
    editor.wait_for_selector("#saved:has-text('red knife is removed')")
    editor.fill("#search", "red knife")
    assert editor.locator("#list button:text-is('red knife')").count() == 0
    editor.click("#undo")
    editor.wait_for_selector("#list button:has-text('red knife')")
    assert editor.is_disabled("#undo")
    editor.click("#redo")
    save(editor)
    assert "red knife" not in load_items(server.items).entries
    editor.focus("#form")
    editor.keyboard.press("Control+z")
    editor.wait_for_selector("#list button:has-text('red knife')")
    save(editor)
    assert read_item_sheet(server.items) == few_items()


def test_what_is_wrong_is_reported_and_cannot_be_saved(editor: Page, server: LiveServer) -> None:
    editor.click("#add")
    editor.wait_for_selector("#faults:has-text('has no category')")
    assert editor.is_disabled("#save")
    assert "once all problems are fixed" in editor.inner_text("#count")
    editor.uncheck("#slot-category-unset")
    editor.select_option("#slot-category-add", "toy")
    editor.wait_for_selector("#faults", state="hidden")
    save(editor)
    assert load_items(server.items).entries["new item"].category == ("toy",)


def test_a_property_is_added_given_to_all_taken_from_all_and_removed(
    editor: Page, server: LiveServer
) -> None:
    editor.click("#tabs >> text=Properties")
    editor.click("#add")
    editor.fill("#name", "shiny")
    editor.press("#name", "Tab")
    editor.fill("#field-adjective", "shiny")
    editor.press("#field-adjective", "Tab")
    editor.click("text=Give it to all items")
    count = len(few_items().items)
    editor.wait_for_selector(f"#form:has-text('{count} of {count} items name it')")
    save(editor)
    assert all("shiny" in (entry.quality or ()) for entry in load_items(server.items).entries.values())
    editor.click("text=Take it from all items")
    editor.wait_for_selector(f"#form:has-text('0 of {count} items name it')")
    editor.click("#undo")
    editor.click("text=Remove it, also from all items")
    save(editor)
    assert read_item_sheet(server.items) == few_items()


def test_a_default_holds_for_all_that_do_not_say_otherwise(editor: Page, server: LiveServer) -> None:
    editor.click("#tabs >> text=Defaults")
    editor.fill("#size", "7")
    editor.press("#size", "Tab")
    save(editor)
    assert read_item_sheet(server.items).defaults.size == 7
    editor.fill("#size", "large")
    editor.press("#size", "Tab")
    editor.wait_for_selector("#trouble:has-text('large is not a whole number from 0 to 20')")
    editor.fill("#size", "1000")
    editor.press("#size", "Tab")
    editor.wait_for_selector("#trouble:has-text('1000 is not a whole number from 0 to 20')")
    assert editor.input_value("#size") == "7"


def test_what_somebody_else_changed_meanwhile_is_not_overwritten(
    editor: Page, server: LiveServer, people: People
) -> None:
    find(editor, "red knife")
    editor.click("#form >> text=Copy")
    other = encode_edited_sheet(few_items()) + b"\n"
    server.items.write_bytes(other)
    editor.wait_for_selector("#save:enabled")
    editor.click("#save")
    editor.wait_for_selector("#trouble:has-text('changed by somebody else')")
    assert server.items.read_bytes() == other
    people.complaints.clear()  # the browser's own, of the refusal


def test_a_file_that_cannot_be_read_is_left_alone(editor: Page, server: LiveServer, people: People) -> None:
    server.items.write_bytes(b"{broken")
    editor.reload()
    editor.wait_for_selector(".state.error:has-text('is not JSON')")
    assert editor.is_hidden("#desk")
    assert server.items.read_bytes() == b"{broken"
    people.complaints.clear()


def test_a_read_only_file_is_said_to_be_and_nothing_is_lost(
    editor: Page, server: LiveServer, people: People
) -> None:
    before = server.items.read_bytes()
    server.items.chmod(0o444)
    editor.reload()
    editor.wait_for_selector("#trouble:has-text('is read-only')")
    find(editor, "red knife")
    editor.click("#form >> text=Copy")
    editor.wait_for_selector("#save:enabled")
    editor.click("#save")
    editor.wait_for_selector("#trouble:has-text('allow it to be written first')")
    assert server.items.read_bytes() == before
    server.items.chmod(0o644)
    save(editor)
    assert "red knife copy" in load_items(server.items).entries
    people.complaints.clear()  # the browser's own, of the refusal


def test_of_two_who_edit_at_once_the_second_is_told_and_keeps_what_they_did(
    editor: Page, server: LiveServer, people: People
) -> None:
    other = editor.context.new_page()
    other.goto(editor.url)
    other.wait_for_selector("#list img")
    for page in (editor, other):
        find(page, "red knife")
        page.click("#form >> text=Copy")
        page.wait_for_selector("#save:enabled")
    save(editor)
    other.click("#save")
    other.wait_for_selector("#trouble:has-text('changed by somebody else')")
    assert "not saved" in other.inner_text("#title")
    assert other.locator("#list button:has-text('red knife copy')").count() == 1
    people.complaints.clear()


def test_a_word_for_sizes_is_changed_renamed_and_removed_and_no_size_with_it(
    editor: Page, server: LiveServer
) -> None:
    editor.click("#tabs >> text=Properties")
    find(editor, "small")
    editor.fill("#field-adjective", "little")
    editor.press("#field-adjective", "Tab")
    editor.fill("#name", "little")
    editor.press("#name", "Tab")
    save(editor)
    ours, found = few_items(), read_item_sheet(server.items)
    (small,) = (each for each in ours.properties if each.name == "small")
    changed = msgspec.structs.replace(small, name="little", adjective="little")
    assert found == msgspec.structs.replace(
        ours, properties=tuple(changed if each == small else each for each in ours.properties)
    )
    editor.click("#form >> text=Remove")
    save(editor)
    left = tuple(each for each in ours.properties if each != small)
    assert read_item_sheet(server.items) == msgspec.structs.replace(ours, properties=left)


@pytest.mark.parametrize(
    ("tab", "kind", "one", "other"),
    [("Items", "an item", "red knife", "black knife"), ("Properties", "a property", "red", "blue")],
)
def test_a_name_that_is_taken_is_refused_and_the_old_one_shown_again(
    editor: Page, tab: str, kind: str, one: str, other: str
) -> None:
    editor.click(f"#tabs >> text={tab}")
    find(editor, other)
    editor.fill("#name", one)
    editor.press("#name", "Tab")
    editor.wait_for_selector(f"#trouble:has-text('There already is {kind} {one}')")
    assert editor.input_value("#name") == other
    assert editor.is_disabled("#undo")
    assert "not saved" not in editor.inner_text("#title")


def test_what_could_not_be_judged_for_a_while_is_judged_when_it_is_saved(
    editor: Page, server: LiveServer, people: People
) -> None:
    editor.route("**/call/*", lambda route: route.abort())
    find(editor, "red knife")
    editor.fill("#size", "9")
    editor.press("#size", "Tab")
    editor.wait_for_selector("#trouble:not(:empty)")
    editor.click("#save")
    editor.wait_for_selector("#trouble:not(:empty)")
    editor.unroute("**/call/*")
    save(editor)
    assert load_items(server.items).entries["red knife"].size == 9
    people.complaints.clear()  # the browser's own, of what was not sent


def test_a_property_in_another_role_loses_what_that_has_not_and_stays_where_it_was_named(
    editor: Page, server: LiveServer
) -> None:
    before = load_items(server.items)
    having = {name for name, entry in before.entries.items() if "sharp" in (entry.quality or ())}
    assert having
    assert before.properties["sharp"].physics
    editor.click("#tabs >> text=Properties")
    find(editor, "sharp")
    editor.select_option("#role", "material")
    save(editor)
    after = load_items(server.items)
    assert (after.properties["sharp"].role, after.properties["sharp"].physics) == ("material", False)
    assert {name for name, entry in after.entries.items() if "sharp" in (entry.material or ())} == having
    assert not any("sharp" in (entry.quality or ()) for entry in after.entries.values())
