import ArgumentParser
import BenchSupport
import Foundation

/// The parameters of a run. The report contains them, so that the run can be repeated.
struct Parameters: ParsableArguments {
    @Option(help: "The number of rounds.")
    var rounds = 5
    @Option(help: "The number of uploads of each client over each network; 0 to skip them.")
    var uploads = 1
    @Option(help: "The size of the upload in megabytes (1,000,000 bytes).")
    var megabytes = 20
    @Option(help: "The number of requests of the page.")
    var requests = 30
    @Option(help: "The seed of the sizes and of the uploaded file.")
    var seed: UInt64 = 7
    @Option(help: "Measure only one network, with this round trip in milliseconds.")
    var roundTrip: Double?
    @Option(help: "Measure only one network, with this rate in Mbit/s in each direction.")
    var rate: Double?
    @Option(help: "The folder for the chats' stores and for the uploaded file.")
    var folder = FileManager.default.currentDirectoryPath

    /// The networks to measure.
    var networks: [Network] {
        guard roundTrip != nil || rate != nil else { return Network.standard }
        return [Network(milliseconds: roundTrip ?? 0, megabits: rate)]
    }

    /// The parameters by their option names, for the report.
    var asText: [String: String] {
        var text = [
            "rounds": "\(rounds)", "uploads": "\(uploads)", "megabytes": "\(megabytes)", "requests": "\(requests)",
            "seed": "\(seed)",
        ]
        text["round-trip"] = roundTrip.map { "\($0)" }
        text["rate"] = rate.map { "\($0)" }
        return text
    }

    func validate() throws {
        guard rounds > 0, uploads >= 0, (1...1000).contains(megabytes), (1...1000).contains(requests) else {
            throw ValidationError(
                "--rounds must be greater than 0, --megabytes and --requests from 1 to 1000, --uploads not negative.")
        }
        guard (0...60_000).contains(roundTrip ?? 0), rate.map({ (0.01...100_000).contains($0) }) ?? true else {
            throw ValidationError("--round-trip must be from 0 to 60000, and --rate from 0.01 to 100000.")
        }
    }
}

/// A simulated network and its name.
struct Network: Sendable {
    var name: String
    var profile: NetworkProfile

    /// Creates a network from a round trip in milliseconds and a rate in Mbit/s.
    init(milliseconds: Double, megabits: Double?) {
        let limit = megabits.map { "\(Self.text($0)) Mbit/s" }
        guard milliseconds > 0 || megabits != nil else {
            name = "Loopback without limits"
            profile = .unlimited
            return
        }
        name = "\(Self.text(milliseconds)) ms, \(limit ?? "no limit")"
        profile = .limited(
            roundTrip: .microseconds(Int64(milliseconds * 1000)), rate: megabits.map { Int($0 * 1_000_000 / 8) })
    }

    /// The networks of a standard run: this machine, a good mobile network and a poor one.
    static let standard = [
        Network(milliseconds: 0, megabits: nil), Network(milliseconds: 50, megabits: 20),
        Network(milliseconds: 200, megabits: 2),
    ]

    private static func text(_ number: Double) -> String { Number.text(number, number == number.rounded() ? 0 : 2) }
}
