/// One step and how it came out.
struct DemoResult: Hashable, Sendable {
    /// The step's number, from one.
    var number: Int
    /// The part of the demo that it belongs to.
    var chapter: DemoChapter
    /// The step in words.
    var name: String
    /// Under which checks it ran.
    var mode: DemoMode
    /// How it had to come out.
    var expectation: DemoExpectation
    /// How it came out.
    var observation: DemoObservation
    /// How long it took.
    var duration: Duration

    /// Whether it came out as it had to.
    var isAsItMustBe: Bool { observation.meets(expectation) }

    /// The duration in whole milliseconds.
    var milliseconds: Int64 { Int64(duration / .milliseconds(1)) }
}
