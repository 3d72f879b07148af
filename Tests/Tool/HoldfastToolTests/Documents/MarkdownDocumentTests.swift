import Testing

@Suite("Documents: reading") struct MarkdownDocumentTests {
    private let document = MarkdownDocument(
        path: "page.md",
        text: """
            # A page
            <!-- command: holdfast serve | server; add --port 0; 84=85 -->
            <!-- command: holdfast serve collector | not run: it is long; very -->
            <!-- command: nothing -->
            Name it: `holdfast bundle sign`, `holdfast
            lint FOLDER`, `holdfast.dial`, `holdfast`.
            ```
            holdfast serve chat --port 84   # a comment
            holdfast sign \\
                --key 'a # b' \\
                --output x
            $ A=b ./run test
            holdfast serve collector
            cat x | holdfast pin -
            a program holdfast
            ```
            ```swift
            holdfast(1)
            ```
            """)

    @Test func commandsAreFound() {
        #expect(
            document.commands.map(\.text) == [
                "holdfast serve chat --port 84", "holdfast sign --key 'a # b' --output x", "A=b ./run test",
                "holdfast serve collector", "cat x | holdfast pin -", "holdfast lint FOLDER",
            ])
        #expect(document.commands.map(\.line) == [8, 9, 12, 13, 14, 5])
        #expect(document.mentions.map(\.text) == ["holdfast bundle sign"])
    }

    @Test func markersApplyByPrefix() {
        let markers = document.commands.map(document.marker)
        #expect(markers[0].isServer)
        #expect(markers[0].applied(to: document.commands[0].text) == "holdfast serve chat --port 85 --port 0")
        #expect(!markers[1].isServer)
        #expect(markers[1].exitCode == 0)
        // The longest marker applies.
        #expect(markers[3].reason == "it is long; very")
        #expect(document.badMarkers == ["nothing"])
    }

    @Test(arguments: ["no bar", " | exit 1", "a | exit one", "a | not run: ", "a | perhaps", "a | =b"])
    func invalidMarkersAreRefused(_ text: String) {
        #expect(CommandMarker(text) == nil)
    }

    @Test func parsesMarks() throws {
        let marker = try #require(CommandMarker("holdfast pin | exit 2; a=b; c="))
        #expect(marker.exitCode == 2)
        #expect(marker.applied(to: "ac") == "b")
        // The text before the last bar belongs to the command.
        #expect(try #require(CommandMarker("cat x | holdfast pin | exit 1")).beginning == "cat x | holdfast pin")
    }
}
