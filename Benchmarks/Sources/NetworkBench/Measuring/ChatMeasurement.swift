import BenchSupport
import ChatBenchSupport
import ChatCenter
import Foundation

/// Measures the time from before `ChatCenterUISDK.init` until the chat of a new visitor is ready.
struct ChatMeasurement {
    let network: Network
    let rounds: Int
    let folder: WorkFolder

    func run() async throws -> [Figure] {
        var (ready, down) = ([Double](), [Double]())
        try await BenchServer.with { server in
            for round in 0..<rounds {
                let url = try folder.fresh()
                let (milliseconds, bytes) = try await Relay.with(to: server.site.port, through: network.profile) {
                    relay async throws -> (Double, Int) in
                    let site = server.site.through(port: relay.port)
                    let start = ContinuousClock.now
                    let sdk = try site.sdk(url)
                    // Without this, the SDK would be released after its last use and would stop.
                    defer { withExtendedLifetime(sdk) {} }
                    sdk.authorize(user: ChatUser(identifier: "visitor-\(round)"))
                    let screen = try sdk.getChat()
                    screen.viewDidAppear()
                    try await screen.wait(for: "a connection") { $0.connection == .ready }
                    return ((ContinuousClock.now - start).milliseconds, relay.traffic.counts.down)
                }
                ready.append(milliseconds)
                down.append(Double(bytes) / 1000)
            }
        }
        return [
            Figure("chat ready, new visitor", "ms", "Holdfast", ready),
            Figure("… bytes down", "kB", "Holdfast", down),
        ]
    }
}
