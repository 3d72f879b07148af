@testable import ChatPage
import Testing

/// Tests plural forms, times and sizes.
@Suite struct PageTextsTests {
    @Test(arguments: [
        ("en", 1, "one"), ("en", 0, "other"), ("en-GB", 2, "other"), ("ru", 1, "one"), ("ru", 11, "many"),
        ("ru", 22, "few"),
        ("ru", 25, "many"), ("pl", 1, "one"), ("pl", 21, "many"), ("pl", 3, "few"), ("pl", 13, "many"),
        ("ar", 0, "zero"),
        ("ar", 2, "two"), ("ar", 5, "few"), ("ar", 11, "many"), ("ar", 100, "other"), ("fr", 0, "one"),
        ("fr", 2, "other"),
        ("ja", 1, "other"),
    ])
    func pluralForms(language: String, count: Int, form: String) {
        #expect(PageTexts.form(of: count, language: language) == form)
    }

    @Test func texts() {
        var appearance = Samples.appearance
        appearance.texts = ["a.b": "text", "n#one": "{count} result", "n#other": "{count} results"]
        let texts = PageTexts(appearance)
        #expect(texts("a.b") == "text")
        #expect(texts("a.not_here") == "not here")
        #expect(texts("n", count: 1) == "1 result")
        #expect(texts("n", count: 7) == "7 results")
    }

    @Test func timesAreInTheVisitorsZone() {
        var appearance = Samples.appearance
        appearance.texts = ["date.today": "Today", "date.yesterday": "Yesterday"]
        let texts = PageTexts(appearance)
        // 2026-08-02 23:30:00 in UTC.
        let now: Int64 = 1_785_713_400_000
        let clock = PageClock(now: now, secondsFromGMT: 3600)
        #expect(clock.time(now) == "00:30")
        #expect(clock.name(ofDay: clock.day(now), texts) == "Today")
        #expect(clock.name(ofDay: clock.day(now - 3_600_000), texts) == "Yesterday")
        #expect(clock.name(ofDay: clock.day(now - 86_400_000 * 2), texts) == "2026-08-01")
        #expect(clock.time(-1) == "00:59")
        #expect(PageClock(now: .max, secondsFromGMT: .max).time(.max).utf8.count == 5)
    }

    @Test(arguments: [
        (Int64(0), "0 B"), (-5, "0 B"), (1023, "1023 B"), (1024, "1 KB"), (1536, "1.5 KB"), (234_567, "229 KB"),
        (1_048_575, "1023 KB"), (1_048_576, "1 MB"), (2_621_440, "2.5 MB"), (.max, "67108864 GB"),
    ])
    func sizes(bytes: Int64, text: String) {
        #expect(bytes.byteCount == text)
    }
}
