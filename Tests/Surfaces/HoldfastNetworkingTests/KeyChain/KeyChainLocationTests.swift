import Foundation
import Logging
import Testing

@testable import HoldfastNetworking

/// Where credentials are stored by default.
@Suite struct KeyChainLocationTests {
    @Test func theStateFolderIsUsed() {
        for (environment, folder) in [
            (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/app/key-chain"),
            (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/app/key-chain"),
            (["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/app/key-chain"),
            (["HOME": "relative"], nil), ([:], nil),
        ] as [([String: String], String?)] {
            #expect(KeyChainLocation.folder(of: "app", environment) == folder)
        }
    }

    @Test func aMissingFolderIsAnError() async {
        let store = FileKeyChainStore(
            service: "app", folder: nil, key: .automatic, environment: [:], logger: Logger(label: "test"))
        do {
            _ = try await store.value(forKey: "k")
            Issue.record("read")
        } catch {
            guard case KeyChainStoreError.file(let failure) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(failure.code == .noFolder)
        }
    }

    /// A service's name never leads outside the folder, and two services never share a folder.
    @Test func servicesAreSeparatePathComponents() {
        for (service, component) in [
            ("com.example.app", "com.example.app"), ("My-App_2", "My-App_2"), ("../x", "%2E.%2Fx"), (".", "%2E"),
            ("", "%"), ("a/b", "a%2Fb"), ("a%2Fb", "a%252Fb"), ("é", "%C3%A9"), ("a\u{0}b", "a%00b"),
        ] {
            #expect(KeyChainLocation.component(service) == component)
        }
        let long = KeyChainLocation.component(String(repeating: "x", count: 201))
        #expect(long.hasPrefix("%h"))
        #expect(long.utf8.count == 66)
        #expect(long != KeyChainLocation.component(String(repeating: "x", count: 202)))
    }

    @Test func theServiceIsTheBundleOrTheExecutable() {
        #expect(KeyChainLocation.defaultService(bundleIdentifier: "a.b", executable: "x", process: "p") == "a.b")
        #expect(KeyChainLocation.defaultService(bundleIdentifier: nil, executable: "x", process: "p") == "x")
        #expect(KeyChainLocation.defaultService(bundleIdentifier: "", executable: nil, process: "p") == "p")
        #expect(!SystemKeyChainStore.defaultService.isEmpty)
    }

    /// The documented defaults of the initializers, which access no files.
    @Test func theDefaultsAccessNoFiles() {
        _ = SystemKeyChainStore()
        _ = SystemKeyChainAuthService()
        _ = HTTPNetworkService()
        _ = ReauthTransport(refreshToken: {})
    }

    @Test func theServiceOfAnAppKeepsItsToken() async throws {
        let service = SystemKeyChainAuthService(keyChainStore: MockKeyChainStore())
        #expect(service.keyChainKey == "accessToken")
        #expect(try await service.loadAccessToken() == nil)
        try await service.saveAccessToken("t")
        #expect(try await service.loadAccessToken() == "t")
        try await service.deleteAccessToken()
        #expect(try await service.loadAccessToken() == nil)
    }

    #if os(Linux)
    /// All defaults together, in a separate process with its own state folder.
    @Test func theDefaultStoreIsUnderTheStateFolder() async throws {
        try await TemporaryFolder.use { folder in
            await #expect(processExitsWith: .success) { [path = folder.root as String] in
                setenv("XDG_STATE_HOME", path, 1)
                try await SystemKeyChainAuthService().saveAccessToken("t")
                guard try await SystemKeyChainAuthService().loadAccessToken() == "t" else { exit(3) }
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.root)
            #expect(names == [SystemKeyChainStore.defaultService])
        }
    }
    #endif
}
