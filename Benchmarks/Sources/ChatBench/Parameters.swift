import ArgumentParser
import Foundation

/// The parameters of a run. The report contains them, so that the run can be repeated.
struct Parameters: ParsableArguments, Sendable {
    @Option(help: "The number of rounds.")
    var rounds = 5
    @Option(help: "The seed of texts and queries.")
    var seed: UInt64 = 7
    @Option(help: "The number of SDKs per round, for init.")
    var inits = 500
    @Option(help: "The number of sent messages per round, at most 1,000 (the queue's limit).")
    var sends = 500
    @Option(help: "The number of missed messages.")
    var missed = 500
    @Option(help: "The round trip of the slow network, in milliseconds.")
    var roundTrip = 100
    @Option(help: "The number of messages in the long history.")
    var messages = 100_000
    @Option(help: "The number of searches per round.")
    var queries = 1000
    @Option(help: "The number of pages per round.")
    var pages = 300
    @Option(help: "The folder for the stores, on the disk to measure.")
    var folder = FileManager.default.currentDirectoryPath
    @Option(
        help:
            "A folder in memory, to measure a send without the disk. Ignored if it does not exist.")
    var memoryFolder = "/dev/shm"

    /// The parameters by their option names, for the report.
    var asText: [String: String] {
        [
            "rounds": "\(rounds)", "seed": "\(seed)", "inits": "\(inits)", "sends": "\(sends)", "missed": "\(missed)",
            "round-trip": "\(roundTrip)", "messages": "\(messages)", "queries": "\(queries)", "pages": "\(pages)",
        ]
    }

    func validate() throws {
        let numbers = [rounds, inits, sends, missed, roundTrip, messages, queries, pages]
        guard numbers.allSatisfy({ $0 > 0 }), sends <= 1000 else {
            throw ValidationError("All numbers must be greater than 0, and --sends at most 1000.")
        }
    }
}
