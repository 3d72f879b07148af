import Foundation
import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Checks that the bundle file is replaced as a whole, is not accessible to others, and is never reached through a
/// link.
@Suite("Bundle files")
struct BundleFileTests {
    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Returns the reason why the file cannot be read, or `nil` if it can.
    private func refusal(_ file: BundleFile) -> String? {
        do throws(BundleError) {
            _ = try file.load()
            return nil
        } catch {
            #expect(error.code == .storage)
            return error.reason
        }
    }

    @Test("loads what was saved, with mode 0600 in a folder of mode 0700")
    func roundTrip() throws {
        try TemporaryFolder.use { folder in
            let file = BundleFile(folder: folder.path("state"), name: "b")
            #expect(try file.load() == nil)
            for bytes in [Array("first".utf8), [], Array(repeating: 7, count: 200_000)] as [[UInt8]] {
                try file.save(bytes)
                #expect(try file.load() == bytes)
            }
            #expect(try mode(folder.path("state")) == 0o700)
            #expect(try mode(folder.path("state/b")) == 0o600)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("state")).sorted()
            #expect(left == [".b.lock", "b"], "no temporary file is left")
        }
    }

    @Test("ignores a temporary file that a crash left behind")
    func leftOver() throws {
        try TemporaryFolder.use { folder in
            let file = BundleFile(folder: folder.path("state"), name: "b")
            try file.save([1])
            try folder.write("half a bundle", to: "state/.b.new")
            #expect(try file.load() == [1])
            try file.save([2])
            #expect(try file.load() == [2])
        }
    }

    @Test("does not follow a link in place of the file or the folder")
    func links() throws {
        try TemporaryFolder.use { folder in
            let manager = FileManager.default
            let file = BundleFile(folder: folder.path("state"), name: "b")
            try file.save([1])
            let target = try folder.write("precious", to: "precious")
            try setMode(0o600, target)
            try manager.removeItem(atPath: folder.path("state/b"))
            try manager.createSymbolicLink(atPath: folder.path("state/b"), withDestinationPath: target)
            #expect(refusal(file) != nil)
            // The save replaces the name. It changes neither the link's target nor the target of the temporary name.
            try manager.createSymbolicLink(atPath: folder.path("state/.b.new"), withDestinationPath: target)
            try file.save([2])
            #expect(try file.load() == [2])
            #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")

            try manager.createSymbolicLink(
                atPath: folder.path("alias"), withDestinationPath: folder.path("state"))
            let aliased = BundleFile(folder: folder.path("alias"), name: "b")
            #expect(refusal(aliased) != nil)
            #expect(throws: BundleError.self) { try aliased.save([3]) }
        }
    }

    @Test("refuses a file or folder that others may use", arguments: [0o644, 0o660, 0o606, 0o604])
    func openToOthers(bits: Int) throws {
        try TemporaryFolder.use { folder in
            let file = BundleFile(folder: folder.path("state"), name: "b")
            try file.save([1])
            try setMode(bits, folder.path("state/b"))
            #expect(refusal(file)?.contains("users other than the owner") == true)
            try setMode(0o600, folder.path("state/b"))
            #expect(try file.load() == [1])
            try setMode(bits | 0o111, folder.path("state"))
            #expect(refusal(file)?.contains("0700") == true)
            #expect(throws: BundleError.self) { try file.save([2]) }
        }
    }

    @Test("refuses a folder of another user", .enabled(if: geteuid() == 0))
    func foreignOwner() throws {
        try TemporaryFolder.use { folder in
            let file = BundleFile(folder: folder.path("state"), name: "b")
            try file.save([1])
            try #require(chown(folder.path("state/b"), 65_534, 65_534) == 0)
            #expect(refusal(file)?.contains("another user") == true)
            try #require(chown(folder.path("state"), 65_534, 65_534) == 0)
            #expect(refusal(file)?.contains("another user") == true)
        }
    }

    @Test("refuses irregular and large files")
    func irregularAndLargeFiles() throws {
        try TemporaryFolder.use { folder in
            let file = BundleFile(folder: folder.path("state"), name: "b")
            try file.save([1])
            #expect(throws: BundleError.self) {
                try file.save([UInt8](repeating: 0, count: SignedBundle.maximumSize + 1))
            }
            #expect(try file.load() == [1])
            let handle = try #require(FileHandle(forWritingAtPath: folder.path("state/b")))
            try handle.truncate(atOffset: UInt64(SignedBundle.maximumSize + 1))
            try handle.close()
            #expect(refusal(file)?.contains("more than") == true)
            try FileManager.default.removeItem(atPath: folder.path("state/b"))
            try #require(mkfifo(folder.path("state/b"), 0o600) == 0)
            #expect(refusal(file)?.contains("not a regular file") == true, "opening a pipe would block forever")
        }
    }

    @Test("refuses a folder whose parent is missing or is a file")
    func noFolder() throws {
        try TemporaryFolder.use { folder in
            let missing = BundleFile(folder: folder.path("a/b"), name: "b")
            #expect(try missing.load() == nil)
            #expect(throws: BundleError.self) { try missing.save([1]) }
            let path = try folder.write("x", to: "file")
            #expect(refusal(BundleFile(folder: path, name: "b")) != nil)
        }
    }
}
