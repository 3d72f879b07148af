import HoldfastLint
import Testing

@Suite("Path patterns") struct PathPatternTests {
    @Test(arguments: [
        ("a.json", "a.json", true), ("a.json", "b/a.json", false), ("*.json", "a.json", true),
        ("*.json", "b/a.json", false), ("**/*.json", "a.json", true), ("**/*.json", "b/c/a.json", true),
        ("b/**", "b/c/a.json", true), ("b/**/a.json", "b/a.json", true), ("b/**/a.json", "c/a.json", false),
        ("a?.json", "ab.json", true), ("a?.json", "a.json", false), ("?.json", "ä.json", true),
        ("*a*b*", "xxaxxbxx", true), ("*a*b", "xxaxxbxx", false), ("**", "a/b/c", true), ("A.json", "a.json", false),
        ("b/", "b", true), ("b.c", "bxc", false), ("*", "", false), ("**/**/a", "a", true),
    ])
    func matching(_ pattern: String, _ path: String, _ isMatch: Bool) throws {
        #expect(try PathPattern(pattern).matches(path) == isMatch)
    }

    @Test("a pattern for exclusion covers what a folder contains")
    func covering() throws {
        let pattern = try PathPattern("Tests")
        #expect(pattern.covers("Tests"))
        #expect(pattern.covers("Tests/a/b.json"))
        #expect(!pattern.covers("TestsToo/a.json"))
        #expect(!pattern.matches("Tests/a.json"))
        #expect(try PathPattern("**/Fixtures").covers("Tests/Fixtures/a.json"))
        #expect(try !PathPattern("**/Fixtures").covers("Tests/a.json"))
    }

    @Test(
        "a path must stay inside the package",
        arguments: ["", "/", "/etc/*", "../a", "a/../b", "./a", "a//b", "a\0b"])
    func invalid(_ text: String) {
        #expect(throws: LintFailure.self) { try PathPattern(text) }
    }

    @Test func longPatternIsRefused() throws {
        let longest = String(repeating: "a", count: PathPattern.lengthLimit)
        #expect(try PathPattern(longest).matches(longest))
        #expect(throws: LintFailure.self) { try PathPattern(longest + "a") }
    }

    /// A pattern with many stars needs exponential time in a matcher that tries every combination.
    @Test(.timeLimit(.minutes(1))) func manyStars() throws {
        let stars = try PathPattern(String(repeating: "*a", count: 500))
        #expect(!stars.matches(String(repeating: "a", count: 1_000) + "b"))
        let folders = try PathPattern(String(repeating: "**/", count: 300) + "b")
        #expect(!folders.matches(String(repeating: "a/", count: 300) + "a"))
    }
}
