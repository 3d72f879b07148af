import HoldfastBase
@testable import ChatCenterCore
@testable import ChatPage
import ChatWire
import Testing

/// Compares pages that apply frames with a page that gets the full state, for random sequences of states.
@Suite struct PageStateSequenceTests {
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func framesLeadToTheFullState(seed: UInt64) throws {
        var numbers = SplitMix64(seed: seed)
        var state = Samples.state(messages: Int.random(in: 0..<8, using: &numbers))
        var limits = PageProtocolLimits()
        if seed.isMultiple(of: 4) { limits.storedFrames = 3 }
        var session = Samples.session(limits: limits)
        // The second page is connected only sometimes.
        var (steady, other) = (ModelPage(), ModelPage())
        var isConnected = false
        for frame in session.connect(after: nil, state, now: 1000) { try steady.apply(frame) }

        for step in 0..<60 {
            for _ in 0...Int.random(in: 0..<3, using: &numbers) { change(&state, step, &numbers) }
            if let frame = session.update(state) {
                try steady.apply(frame)
                if isConnected { try other.apply(frame) }
            }
            if Int.random(in: 0..<5, using: &numbers) == 0 {
                isConnected.toggle()
                if isConnected {
                    for frame in session.connect(after: other.number, state, now: Int64(step)) {
                        try other.apply(frame)
                    }
                }
            }
            try steady.apply(session.beat(now: Int64(step)))
            let full = try fullPage(state)
            #expect(steady.shows(full), "seed \(seed), step \(step)")
            if isConnected { #expect(other.shows(full), "seed \(seed), step \(step), the second page") }
        }
        #expect(steady.rowsReceived < 60 * 6, "rows that have not changed do not travel")
    }

    private func fullPage(_ state: PageState) throws -> ModelPage {
        var session = Samples.session()
        var page = ModelPage()
        for frame in session.connect(after: nil, state, now: 1) { try page.apply(frame) }
        return page
    }

    private func change(_ state: inout PageState, _ step: Int, _ numbers: inout SplitMix64) {
        let screen = state.screen
        let messages = Array(screen.window.messages)
        switch Int.random(in: 0..<16, using: &numbers) {
        case 0...4:
            // A new message, sometimes between older ones.
            let time = Int64.random(in: 0..<200, using: &numbers)
            state.screen.window.save(Samples.message("m-\(step)-\(time)", "At \(time)", at: time))
        case 5:
            guard let message = messages.randomElement(using: &numbers) else { break }
            state.screen.window.remove(message.id)
        case 6:
            guard var message = messages.randomElement(using: &numbers) else { break }
            message.content.text = "Edited in \(step)"
            message.content.modified = .edited
            state.screen.window.save(message)
        case 7:
            // A message that moves.
            guard var message = messages.randomElement(using: &numbers) else { break }
            message.position.time = Int64.random(in: 0..<200, using: &numbers)
            state.screen.window.save(message)
        case 8:
            state.screen.hidden = messages.isEmpty ? [] : messages.randomElement(using: &numbers).map { [$0.id] } ?? []
        case 9: state.screen.showsLinkPreviews.toggle()
        case 10: state.screen.title = Bool.random(using: &numbers) ? .typing("Eva") : .opened
        case 11: state.screen.averageWait = Bool.random(using: &numbers) ? "step \(step)" : nil
        case 12: state.screen.input.text = "Draft \(step)"
        case 13: state.screen.banners = Bool.random(using: &numbers) ? [.outOfHours("At \(step)")] : []
        case 14:
            state.screen.search =
                Bool.random(using: &numbers)
                ? ChatScreenSearch(
                    text: "a", isSearching: false, results: screen.messages.suffix(2), total: 2, hasMore: false,
                    isLocal: true, failure: nil) : nil
        default:
            if step.isMultiple(of: 9) { state.appearance.language = Bool.random(using: &numbers) ? "ru" : "en" }
        }
        state.screen.revision = state.screen.window.revision
    }
}
