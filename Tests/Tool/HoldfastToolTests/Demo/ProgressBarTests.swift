import Testing

@testable import HoldfastTool

@Suite struct ProgressBarTests {
    @Test(arguments: [
        (0, 1_024, "up [                              ]   0 %  0 of 1 KiB"),
        (512, 1_024, "up [###############               ]  50 %  0 of 1 KiB"),
        (1_024, 1_024, "up [##############################] 100 %  1 of 1 KiB"),
        (5_000, 1_024, "up [##############################] 100 %  1 of 1 KiB"),
        (-1, 1_024, "up [                              ]   0 %  0 of 1 KiB"),
        (Int64.max, Int64.max, "up [##############################] 100 %  9007199254740991 of 9007199254740991 KiB"),
    ]) func aBarShowsTheShare(_ done: Int64, _ total: Int64, _ text: String) {
        #expect(ProgressBar(done: done, total: total).text(labelled: "up") == text)
    }

    @Test(arguments: [nil, 0, -5] as [Int64?]) func withoutATotalThereIsNoBar(_ total: Int64?) {
        #expect(ProgressBar(done: 4_096, total: total).text(labelled: "down") == "down 4 KiB")
    }

    @Test func onlyTerminalsShowTheBar() {
        let pipe = Transcript()
        let terminal = Transcript(isInteractive: true)
        for transcript in [pipe, terminal] { DemoNarrator(transcript.console).show("up", 1, of: 2) }
        #expect(pipe.notes.isEmpty)
        #expect(terminal.notes.hasPrefix("\r"))
        #expect(pipe.output.isEmpty && terminal.output.isEmpty)
    }
}
