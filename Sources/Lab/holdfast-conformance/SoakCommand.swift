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
        commandName: "soak", abstract: "Sends thousands of requests over bad connections, and looks for what is left.",
        discussion: """
            Servers and client are in this process, on the loopback. What came of it is printed as JSON. Exit code 1 if
            a request ended as it may not, or anything was left behind.
            """)

    @Option(help: "How many requests.") var requests = 10_000
    @Option(help: "What the requests, faults and cancellations follow from.") var seed: UInt64 = 1
    @Option(help: "plain, tls or http2; all of them by default.") var wire: SoakPlan.Wire?
    @Option(help: "How many requests are under way at a time.") var concurrency = 48

    func validate() throws {
        guard (1...100_000_000).contains(requests) else { throw ValidationError("--requests is from 1 to 100000000.") }
        guard (1...4_096).contains(concurrency) else { throw ValidationError("--concurrency is from 1 to 4096.") }
    }

    func run() async throws {
        // The threads and pipes that the process keeps are made by the first requests.
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

    /// How many files and sockets the process has open; `nil` where the system does not tell.
    private static var openDescriptors: Int? {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
    }
}

extension SoakPlan.Wire: ExpressibleByArgument {}
