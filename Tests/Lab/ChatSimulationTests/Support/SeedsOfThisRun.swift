import HoldfastTestSupport
import Foundation

/// Seeds that depend on the commit, so that each change is tested with other worlds. The same commit has the same
/// seeds.
struct SeedsOfThisRun {
    /// Describes the source of the seeds.
    let origin: String
    let seeds: Range<UInt64>

    /// The number of seeds.
    static let count: UInt64 = 300
    /// The first seed. The fixed seeds and those of manual runs are smaller.
    static let first: UInt64 = 1 << 32
    /// The environment variable with a text that replaces the commit, to repeat the seeds of another commit.
    static let variable = "HOLDFAST_SEEDS"

    /// Returns the seeds for a text.
    init(of text: String, from origin: String) {
        self.origin = origin
        let start = Self.first + Self.digest(text.utf8) % (1 << 40)
        seeds = start..<start + Self.count
    }

    /// Describes how to run these seeds again.
    var description: String {
        "seeds of \(origin): holdfast simulate --seeds \(Self.count) --from \(seeds.lowerBound)"
    }

    /// The seeds for the variable, the commit or the sources, whichever is available first.
    static func current(environment: [String: String] = ProcessInfo.processInfo.environment) -> SeedsOfThisRun {
        if let text = environment[variable], !text.isEmpty {
            return SeedsOfThisRun(of: text, from: "\(variable)=\(text)")
        }
        let root = Repository.root
        if let commit = commit(in: root) { return SeedsOfThisRun(of: commit, from: "commit \(commit)") }
        let digest = String(sources(in: root), radix: 16)
        return SeedsOfThisRun(of: digest, from: "sources \(digest)")
    }

    /// The output of `git rev-parse HEAD`; `nil` without git or a repository.
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

    /// A digest of the sources that the simulation runs.
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

    /// FNV-1a with the final mixing of SplitMix64, so that similar texts give distant seeds.
    private static func digest(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        return hash ^ (hash >> 31)
    }
}
