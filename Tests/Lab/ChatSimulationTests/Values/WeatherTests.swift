import Testing

@testable import ChatSimulation

/// The network of one device, by itself.
@Suite struct WeatherTests {
    private var weather = Weather(client: 0, draws: Draws(seed: 1))

    @Test mutating func lostFramesDoNotArrive() {
        weather.strike(.loss(client: 0, .up, frames: 1), at: 0)
        var last: Int64 = 0
        #expect(weather.arrivals(.down, at: 0, after: &last).count == 1)
        #expect(weather.arrivals(.up, at: 0, after: &last).isEmpty)
        #expect(weather.arrivals(.up, at: 0, after: &last).count == 1)
    }

    @Test mutating func doubledFramesArriveTwice() {
        weather.strike(.duplication(client: 0, .down, frames: 1), at: 0)
        var last: Int64 = 0
        let times = weather.arrivals(.down, at: 0, after: &last)
        #expect(times == [last, last + SimulationClock.nanoseconds(20)])
        #expect(weather.arrivals(.down, at: 0, after: &last).count == 1)
    }

    @Test mutating func framesKeepTheirOrder() {
        weather.strike(.delay(client: 0, .up, frames: 1, by: 5000), at: 0)
        var last: Int64 = 0
        let late = weather.arrivals(.up, at: 0, after: &last)
        #expect(late.allSatisfy { $0 > SimulationClock.nanoseconds(5000) })
        #expect(weather.arrivals(.up, at: 0, after: &last) == late)
    }

    @Test mutating func nothingMovesInSilence() {
        weather.strike(.silence(client: 0, for: 100), at: 0)
        #expect(weather.frameArrival(at: 0) > SimulationClock.nanoseconds(100))
        #expect(weather.callArrival(at: 0) > SimulationClock.nanoseconds(100))
    }

    @Test mutating func routesComeBackByThemselves() {
        weather.strike(.noRoute(client: 0, for: 100), at: 0)
        #expect(!weather.hasRoute(at: SimulationClock.nanoseconds(100) - 1))
        #expect(weather.hasRoute(at: SimulationClock.nanoseconds(100)))
    }

    @Test mutating func plannedFailuresAreUsedUp() {
        weather.strike(.failedCalls(client: 0, .busy, count: 2), at: 0)
        weather.strike(.failedUploads(client: 0, count: 1), at: 0)
        weather.strike(.hangingUploads(client: 0, count: 1), at: 0)
        weather.strike(.cutBeforeReply(client: 0), at: 0)
        #expect(
            [weather.takeCallFailure(), weather.takeCallFailure(), weather.takeCallFailure()] == [.busy, .busy, nil])
        #expect([weather.takeUploadFailure(), weather.takeUploadFailure()] == [true, false])
        #expect([weather.takeHangingUpload(), weather.takeHangingUpload()] == [true, false])
        #expect([weather.takeCutBeforeReply(), weather.takeCutBeforeReply()] == [true, false])
    }

    /// A run whose faults end goes on with the latencies that follow, not with those from its start.
    @Test mutating func healingKeepsTheLatencies() {
        var calm = weather
        weather.strike(.loss(client: 0, .up, frames: 9), at: 0)
        #expect(weather.frameArrival(at: 0) == calm.frameArrival(at: 0))
        weather.heal()
        var last: Int64 = 0
        var calmLast: Int64 = 0
        #expect(
            weather.arrivals(.up, at: 0, after: &last) == calm.arrivals(.up, at: 0, after: &calmLast))
    }
}
