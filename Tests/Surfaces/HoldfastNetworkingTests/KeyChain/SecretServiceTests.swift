#if os(Linux)
import Foundation
import Testing

@testable import HoldfastNetworking

/// The adapter for `secret-tool`, tested with a script that behaves like the tool.
@Suite struct SecretServiceTests {
    /// Stores values in files. If there is no value, it exits with 1 and prints nothing, as the tool does.
    private static let script = """
        #!/bin/sh
        folder=$(dirname "$0")
        command=$1
        shift
        case $1 in --label=*) shift ;; esac
        [ "$1" = service ] && [ "$3" = key ] && [ $# = 4 ] || { echo "usage" >&2; exit 2; }
        file="$folder/$2.$4"
        echo "$command $*" >>"$folder/log"
        case $command in
            store) cat >"$file" ;;
            lookup) [ -e "$file" ] || exit 1; cat "$file" ;;
            clear) [ -e "$file" ] || exit 1; rm "$file" ;;
        esac
        """

    private func store(_ folder: TemporaryFolder, _ script: String = script) throws -> SecretServiceKeyChainStore {
        SecretServiceKeyChainStore(service: "app", tool: SecretTool(path: try tool(folder, script)))
    }

    /// Writes an executable script. A separate process writes it: a child process that a different test starts at that
    /// moment would inherit our descriptor, and the system does not execute a file that is open for writing
    /// (`ETXTBSY`).
    private func tool(_ folder: TemporaryFolder, _ script: String) throws -> String {
        let text = try folder.write(script, to: "secret-tool.text", mode: 0o700)
        let copy = Process()
        copy.executableURL = URL(filePath: "/bin/cp")
        copy.arguments = ["-p", text, folder.path("secret-tool")]
        try copy.run()
        copy.waitUntilExit()
        try #require(copy.terminationStatus == 0)
        return folder.path("secret-tool")
    }

    private func code(_ work: () async throws -> Void) async throws -> SecretServiceError.Code? {
        do {
            try await work()
            return nil
        } catch KeyChainStoreError.secretService(let error) {
            #expect(!error.description.contains("t0ken"))
            return error.code
        }
    }

    @Test func valuesAreStored() async throws {
        try await TemporaryFolder.use { folder in
            let store = try store(folder)
            #expect(try await store.value(forKey: "accessToken") == nil)
            for value in ["t0ken", "", "ends with a line\n", String(repeating: "x", count: 16_384)] {
                try await store.save(value, forKey: "accessToken")
                #expect(try await store.value(forKey: "accessToken") == value)
            }
            try await store.deleteValue(forKey: "accessToken")
            #expect(try await store.value(forKey: "accessToken") == nil)
            try await store.deleteValue(forKey: "accessToken")
            // Every user of the machine can read the arguments of a process.
            let log = try String(contentsOfFile: folder.path("log"), encoding: .utf8)
            #expect(log.contains("store service app key accessToken"))
            #expect(!log.contains("t0ken"))
            #expect(!log.contains(Data("t0ken".utf8).base64EncodedString()))
        }
    }

    @Test func failuresAreErrors() async throws {
        try await TemporaryFolder.use { folder in
            let failing = try store(folder, "#!/bin/sh\necho 'Cannot reach the bus' >&2\nexit 1\n")
            #expect(try await code { try await failing.save("t0ken", forKey: "k") } == .failed)
            #expect(try await code { _ = try await failing.value(forKey: "k") } == .failed)
            let dying = try store(folder, "#!/bin/sh\nkill -KILL $$\n")
            #expect(try await code { _ = try await dying.value(forKey: "k") } == .failed)
            let odd = try store(folder, "#!/bin/sh\necho '!!'\n")
            await #expect(throws: KeyChainStoreError.stringDecodingFailed) { try await odd.value(forKey: "k") }
            let gone = SecretServiceKeyChainStore(service: "app", tool: SecretTool(path: folder.path("none")))
            #expect(try await code { _ = try await gone.value(forKey: "k") } == .toolMissing)
        }
    }

    /// If the tool does not read its input, the SIGPIPE signal does not end the process.
    @Test func aToolThatDoesNotReadItsInputDoesNotTrap() async throws {
        try await TemporaryFolder.use { folder in
            let deaf = try store(folder, "#!/bin/sh\nexit 0\n")
            try await deaf.save(String(repeating: "x", count: 16_384), forKey: "k")
            let long = String(repeating: "t0ken", count: 4_000)
            #expect(try await code { try await deaf.save(long, forKey: "k") } == .valueTooLarge)
        }
    }

    @Test func aToolThatDoesNotExitIsTerminated() async throws {
        try await TemporaryFolder.use { folder in
            let path = try tool(folder, "#!/bin/sh\nexec sleep 600\n")
            let store = SecretServiceKeyChainStore(
                service: "app", tool: SecretTool(path: path, patience: .milliseconds(50)))
            #expect(try await code { _ = try await store.value(forKey: "k") } == .timedOut)
        }
    }

    @Test(arguments: ["", "-x", "--help", "a\u{0}b"])
    func namesThatLookLikeOptionsAreRefused(name: String) async throws {
        try await TemporaryFolder.use { folder in
            let store = try store(folder)
            #expect(try await code { _ = try await store.value(forKey: name) } == .unusableName)
            #expect(!FileManager.default.fileExists(atPath: folder.path("log")))
        }
    }

    @Test func theToolIsSearchedInAbsoluteFoldersOnly() async throws {
        try await TemporaryFolder.use { folder in
            try folder.write(Self.script, to: "secret-tool", mode: 0o700)
            #expect(throws: Never.self) { try SecretTool(searching: "/nowhere:\(folder.root)") }
            for path in [nil, "", ".", "bin:.", "/nowhere"] {
                #expect(throws: SecretServiceError.self) { try SecretTool(searching: path) }
            }
        }
    }
}
#endif
