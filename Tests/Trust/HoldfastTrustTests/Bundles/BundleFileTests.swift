import Foundation
import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// The copy on the disk: whole or not at all, closed to others, and never through a link.
@Suite("Bundles on the disk")
struct BundleFileTests {
    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Why the file is not read; `nil` if it is.
    private func refusal(_ file: BundleFile) -> String? {
        do throws(BundleError) {
            _ = try file.load()
            return nil
        } catch {
            #expect(error.code == .storage)
            return error.reason
        }
    }

    @Test("what is saved is loaded, in a file of mode 0600 in a folder of mode 0700")
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

    @Test("a temporary file that a crash left behind is in nobody's way")
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

    @Test("a link in the place of the file or of the folder is not followed, neither for reading nor for writing")
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
            // The name is replaced, and not what it points to; nor what the temporary name points to.
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

    @Test("a file or a folder that others may use is refused", arguments: [0o644, 0o660, 0o606, 0o604])
    func openToOthers(bits: Int) throws {
        try TemporaryFolder.use { folder in
            let file = BundleFile(folder: folder.path("state"), name: "b")
            try file.save([1])
            try setMode(bits, folder.path("state/b"))
            #expect(refusal(file)?.contains("others") == true)
            try setMode(0o600, folder.path("state/b"))
            #expect(try file.load() == [1])
            try setMode(bits | 0o111, folder.path("state"))
            #expect(refusal(file)?.contains("0700") == true)
            #expect(throws: BundleError.self) { try file.save([2]) }
        }
    }

    @Test("somebody else's folder is refused", .enabled(if: geteuid() == 0))
    func somebodyElses() throws {
        try TemporaryFolder.use { folder in
            let file = BundleFile(folder: folder.path("state"), name: "b")
            try file.save([1])
            try #require(chown(folder.path("state/b"), 65_534, 65_534) == 0)
            #expect(refusal(file)?.contains("another user") == true)
            try #require(chown(folder.path("state"), 65_534, 65_534) == 0)
            #expect(refusal(file)?.contains("another user") == true)
        }
    }

    @Test("what is no regular file, or too large, is refused")
    func otherThings() throws {
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
            #expect(refusal(file)?.contains("not a regular file") == true, "a pipe would block for ever")
        }
    }

    @Test("a folder whose parent is missing, or that is a file")
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
