import HoldfastTestSupport
import Foundation

/// Seeds that depend on the commit, so that each change is tried with worlds that no change before it has seen. The
/// same commit has the same seeds.
struct SeedsOfThisRun {
    /// Where the seeds come from, in words.
    let origin: String
    let seeds: Range<UInt64>

    /// How many there are.
    static let count: UInt64 = 300
    /// The fixed seeds and those that were run by hand lie below.
    static let first: UInt64 = 1 << 32
    /// Names a text that takes the place of the commit: that of another one shows its seeds again.
    static let variable = "HOLDFAST_SEEDS"

    /// The seeds that follow from a text.
    init(of text: String, from origin: String) {
        self.origin = origin
        let start = Self.first + Self.digest(text.utf8) % (1 << 40)
        seeds = start..<start + Self.count
    }

    /// What shows these seeds again, in and outside of the tests.
    var description: String {
        "seeds of \(origin): holdfast simulate --seeds \(Self.count) --from \(seeds.lowerBound)"
    }

    /// The seeds of the variable, else of the commit, else of the sources.
    static func current(environment: [String: String] = ProcessInfo.processInfo.environment) -> SeedsOfThisRun {
        if let text = environment[variable], !text.isEmpty {
            return SeedsOfThisRun(of: text, from: "\(variable)=\(text)")
        }
        let root = Repository.root
        if let commit = commit(in: root) { return SeedsOfThisRun(of: commit, from: "commit \(commit)") }
        let digest = String(sources(in: root), radix: 16)
        return SeedsOfThisRun(of: digest, from: "sources \(digest)")
    }

    /// What `git rev-parse HEAD` says; `nil` where there is no git, or no repository.
    private static func commit(in root: URL) -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-C", root.path, "rev-parse", "HEAD"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: bytes, as: UTF8.self).filter { $0.isHexDigit }
        return process.terminationStatus == 0 && text.count >= 40 ? text : nil
    }

    /// A digest of everything that the simulation runs.
    static func sources(in root: URL) -> UInt64 {
        let folders = ["Chat/ChatWire", "Chat/ChatCenterCore", "Servers/ChatServerCore", "Lab/ChatSimulation"]
        var bytes: [UInt8] = []
        for folder in folders {
            let url = root.appendingPathComponent("Sources").appendingPathComponent(folder)
            let names = (try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? []
            for name in names.sorted() where name.hasSuffix(".swift") {
                bytes += name.utf8
                bytes += (try? Data(contentsOf: url.appendingPathComponent(name))) ?? Data()
            }
        }
        return digest(bytes)
    }

    /// FNV-1a with the final mixing of SplitMix64: seeds of neighbouring texts lie far apart.
    private static func digest(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        return hash ^ (hash >> 31)
    }
}
