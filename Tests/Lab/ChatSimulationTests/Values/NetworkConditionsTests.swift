import Testing

@testable import ChatSimulation

/// Tests the network of one device.
@Suite struct NetworkConditionsTests {
    private var conditions = NetworkConditions(client: 0, streams: RandomStreams(seed: 1))

    @Test mutating func lostFramesDoNotArrive() {
        conditions.strike(.loss(client: 0, .up, frames: 1), at: 0)
        var last: Int64 = 0
        #expect(conditions.arrivals(.down, at: 0, after: &last).count == 1)
        #expect(conditions.arrivals(.up, at: 0, after: &last).isEmpty)
        #expect(conditions.arrivals(.up, at: 0, after: &last).count == 1)
    }

    @Test mutating func doubledFramesArriveTwice() {
        conditions.strike(.duplication(client: 0, .down, frames: 1), at: 0)
        var last: Int64 = 0
        let times = conditions.arrivals(.down, at: 0, after: &last)
        #expect(times == [last, last + SimulationClock.nanoseconds(20)])
        #expect(conditions.arrivals(.down, at: 0, after: &last).count == 1)
    }

    @Test mutating func framesKeepTheirOrder() {
        conditions.strike(.delay(client: 0, .up, frames: 1, by: 5000), at: 0)
        var last: Int64 = 0
        let late = conditions.arrivals(.up, at: 0, after: &last)
        #expect(late.allSatisfy { $0 > SimulationClock.nanoseconds(5000) })
        #expect(conditions.arrivals(.up, at: 0, after: &last) == late)
    }

    @Test mutating func nothingMovesInSilence() {
        conditions.strike(.silence(client: 0, for: 100), at: 0)
        #expect(conditions.frameArrival(at: 0) > SimulationClock.nanoseconds(100))
        #expect(conditions.callArrival(at: 0) > SimulationClock.nanoseconds(100))
    }

    @Test mutating func routesComeBackByThemselves() {
        conditions.strike(.noRoute(client: 0, for: 100), at: 0)
        #expect(!conditions.hasRoute(at: SimulationClock.nanoseconds(100) - 1))
        #expect(conditions.hasRoute(at: SimulationClock.nanoseconds(100)))
    }

    @Test mutating func plannedFailuresAreUsedUp() {
        conditions.strike(.failedCalls(client: 0, .busy, count: 2), at: 0)
        conditions.strike(.failedUploads(client: 0, count: 1), at: 0)
        conditions.strike(.hangingUploads(client: 0, count: 1), at: 0)
        conditions.strike(.cutBeforeReply(client: 0), at: 0)
        #expect(
            [conditions.takeCallFailure(), conditions.takeCallFailure(), conditions.takeCallFailure()] == [
                .busy, .busy, nil,
            ])
        #expect([conditions.takeUploadFailure(), conditions.takeUploadFailure()] == [true, false])
        #expect([conditions.takeHangingUpload(), conditions.takeHangingUpload()] == [true, false])
        #expect([conditions.takeCutBeforeReply(), conditions.takeCutBeforeReply()] == [true, false])
    }

    /// After the faults end, latencies continue with the next numbers.
    @Test mutating func healingKeepsTheLatencies() {
        var calm = conditions
        conditions.strike(.loss(client: 0, .up, frames: 9), at: 0)
        #expect(conditions.frameArrival(at: 0) == calm.frameArrival(at: 0))
        conditions.heal()
        var last: Int64 = 0
        var calmLast: Int64 = 0
        #expect(
            conditions.arrivals(.up, at: 0, after: &last) == calm.arrivals(.up, at: 0, after: &calmLast))
    }
}
