public import ArgumentParser
import HoldfastSoak

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `holdfast-conformance soak`.
struct SoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak", abstract: "Sends thousands of requests over bad connections and checks for leaks.",
        discussion: """
            The servers and the client run in this process, on the loopback interface. Prints the result as JSON. Exit
            code 1 if a request ended with an outcome that is not permitted, or anything was left over.
            """)

    @Option(help: "The number of requests.") var requests = 10_000
    @Option(help: "The seed of the requests, faults and cancellations.") var seed: UInt64 = 1
    @Option(help: "plain, tls or http2 (default: all).") var wire: SoakPlan.Wire?
    @Option(help: "The maximum number of concurrent requests.") var concurrency = 48

    func validate() throws {
        guard (1...100_000_000).contains(requests) else {
            throw ValidationError("--requests must be from 1 to 100000000.")
        }
        guard (1...4_096).contains(concurrency) else { throw ValidationError("--concurrency must be from 1 to 4096.") }
    }

    func run() async throws {
        // The first requests create the threads and pipes that the process keeps.
        let wires = wire.map { [$0] } ?? SoakPlan.Wire.allCases
        for wire in wires { _ = try await Soak.run(SoakPlan(wire, requests: 200, seed: seed)) }
        let descriptors = Self.openDescriptors
        var isClean = true
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        for wire in wires {
            var plan = SoakPlan(wire, requests: requests, seed: seed)
            plan.concurrency = concurrency
            let report = try await Soak.run(plan)
            isClean = isClean && report.isClean
            print(String(decoding: try encoder.encode(report), as: UTF8.self))
        }
        if let before = descriptors, let after = Self.openDescriptors {
            print("{ \"descriptorsBefore\" : \(before), \"descriptorsAfter\" : \(after) }")
            isClean = isClean && after <= before
        }
        guard isClean else { throw ExitCode(1) }
    }

    /// The number of open file descriptors; `nil` if the system does not provide it.
    private static var openDescriptors: Int? {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
    }
}

extension SoakPlan.Wire: ExpressibleByArgument {}
