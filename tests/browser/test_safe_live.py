"""What people write is shown as they wrote it, in a real browser, and does nothing."""

from __future__ import annotations

from pathlib import Path

from tests.browser.live import House, Opened, People, instance_of, outcome, said, say, turn

WRITTEN = [
    "<script>window.hurt = 1</script>",
    "<img src=x onerror='window.hurt = 1'>",
    "<svg onload=window.hurt=1><script>window.hurt=1</script></svg>",
    '"><body onload=window.hurt=1>',
    "<a href=javascript:window.hurt=1>here</a>",
    "<iframe srcdoc='<script>parent.hurt=1</script>'></iframe>",
    "<style>body { display: none }</style>",
    "</ol></section><h1>gone</h1>",
    "{{constructor.constructor('window.hurt=1')()}} ${window.hurt=1}",
    "&lt;script&gt; &amp; ]]> --> \u202eright to left\u202c",
]


def test_words_stay_words_in_every_seat_and_in_the_result(house: House, people: People) -> None:
    links = house.room("codraw", "teller", "drawer", instance=instance_of("codraw").id)
    teller, drawer = people.sit(links["teller"]), people.sit(links["drawer"])
    for number, text in enumerate(WRITTEN):
        say(teller, text[:140])
        assert said(drawer, 2 * number + 1)[-1] == text[:140]
        say(drawer, text[:140])
        said(teller, 2 * number + 2)
    turn(teller).get_by_role("button", name="Finish").click()
    teller.click("#confirm-yes")
    turn(drawer).get_by_role("button", name="Agree").click()
    drawer.click("#confirm-yes")
    for page in (teller, drawer):
        assert "The game is finished" in outcome(page)
        assert page.evaluate("window.hurt") is None
        assert page.locator("h1:has-text('gone'), iframe, img[src='x']").count() == 0
    assert people.complaints == []


def test_a_consent_text_stays_text_too(people: People, opened: Opened, tmp_path: Path) -> None:
    text = tmp_path / "consent.txt"
    text.write_text("\n".join(WRITTEN[:7]))
    house = opened("--consent", str(text))
    page = people.person()
    page.goto(house.room("reference", "giver")["giver"])
    page.wait_for_selector("#consent button")
    assert WRITTEN[0] in page.locator("#consent").inner_text()
    page.click("#consent button")
    turn(page)
    assert page.evaluate("window.hurt") is None
