import ArgumentParser
import Foundation

/// What a run can be told. Part of its report, so that it can be run again.
struct Parameters: ParsableArguments, Sendable {
    @Option(help: "The number of rounds.")
    var rounds = 5
    @Option(help: "What texts and queries are made of.")
    var seed: UInt64 = 7
    @Option(help: "How many SDKs are made in one round, for init.")
    var inits = 500
    @Option(help: "How many messages are sent in one round, at most 1,000: so many wait in a queue.")
    var sends = 500
    @Option(help: "How many messages were missed.")
    var missed = 500
    @Option(help: "The round trip of the slow network, in milliseconds.")
    var roundTrip = 100
    @Option(help: "How many messages a long history has.")
    var messages = 100_000
    @Option(help: "How many searches there are in one round.")
    var queries = 1000
    @Option(help: "How many pages are read in one round.")
    var pages = 300
    @Option(help: "Where the stores lie: a folder on the disk that is to be measured.")
    var folder = FileManager.default.currentDirectoryPath
    @Option(
        help:
            "Where they lie once more, in memory, to tell the disk's part of a send. Left out where it does not exist.")
    var memoryFolder = "/dev/shm"

    /// By their names on the command line, for the report.
    var asText: [String: String] {
        [
            "rounds": "\(rounds)", "seed": "\(seed)", "inits": "\(inits)", "sends": "\(sends)", "missed": "\(missed)",
            "round-trip": "\(roundTrip)", "messages": "\(messages)", "queries": "\(queries)", "pages": "\(pages)",
        ]
    }

    func validate() throws {
        let numbers = [rounds, inits, sends, missed, roundTrip, messages, queries, pages]
        guard numbers.allSatisfy({ $0 > 0 }), sends <= 1000 else {
            throw ValidationError("All numbers must be above zero, --sends at most 1000.")
        }
    }
}
