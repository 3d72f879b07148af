import ChatCenter
import Testing

@Suite struct ChatTransportConfigTests {
    @Test(
        "the three addresses are derived from a cloud host with or without a scheme",
        arguments: ["x.example", "https://x.example", "https://x.example/", "wss://x.example", "HTTPS://x.example"])
    func cloudHost(given: String) throws {
        let config = ChatTransportConfig(cloudHost: given, apiVersion: .api19)
        let endpoints = try #require(config.endpoints)
        #expect(endpoints.rest.text == "https://x.example")
        #expect(endpoints.webSocket.text == "wss://x.example/socket")
        #expect(endpoints.dataStore.text == "https://x.example/files")
        #expect(config.problems.isEmpty)
        #expect(config.apiVersion == .api19)
        #expect(config.newRoutesEnabled)
        #expect(config.dataStoreHTTPHeaders.isEmpty)
    }

    @Test("a port applies to all three addresses")
    func port() throws {
        let endpoints = try #require(ChatTransportConfig(cloudHost: "localhost:8443").endpoints)
        #expect(endpoints.rest.text == "https://localhost:8443")
        #expect(endpoints.webSocket.text == "wss://localhost:8443/socket")
        #expect(endpoints.dataStore.text == "https://localhost:8443/files")
    }

    @Test("cleartext is allowed only for this machine")
    func cleartext() throws {
        let local = try #require(ChatTransportConfig(cloudHost: "http://127.0.0.1:8080").endpoints)
        #expect(local.webSocket.text == "ws://127.0.0.1:8080/socket")
        let remote = ChatTransportConfig(cloudHost: "http://chat.example")
        #expect(remote.endpoints == nil)
        #expect(remote.problems.map(\.code) == [.cleartext])
    }

    @Test(
        "an unusable host is reported and does not trap",
        arguments: [
            ("", ChatTransportProblem.Code.empty), ("https://", .invalidHost), ("ftp://x.example", .wrongScheme),
            ("x.example/chat", .unexpectedPart), ("user:secret@x.example", .unexpectedPart),
            ("x.example?query", .unexpectedPart), ("x.example#part", .unexpectedPart), ("ex ample.com", .malformed),
            ("x.example:0", .invalidPort), ("x.example:70000", .invalidPort), ("x..example", .invalidHost),
        ])
    func badCloudHost(given: String, code: ChatTransportProblem.Code) {
        let config = ChatTransportConfig(cloudHost: given)
        #expect(config.endpoints == nil)
        #expect(config.problems.map(\.code) == [code], "\(config.problems)")
        #expect(throws: ChatTransportConfigError.self) { try ChatTransportConfig(validatingCloudHost: given) }
    }

    @Test("three addresses are used unchanged, without a trailing slash")
    func detailed() throws {
        let config = ChatTransportConfig(
            rest: "https://rest.example/chat/", webSocket: "wss://ws.example/gate/socket",
            dataStore: "https://files.example", dataStoreHTTPHeaders: ["X-Key": "v"], newRoutesEnabled: false,
            apiVersion: .api21)
        let endpoints = try #require(config.endpoints)
        #expect(endpoints.rest.text == "https://rest.example/chat")
        #expect(endpoints.webSocket.text == "wss://ws.example/gate/socket")
        #expect(endpoints.dataStore.text == "https://files.example")
        #expect(!config.newRoutesEnabled)
        #expect(config.dataStoreHTTPHeaders == ["X-Key": "v"])
    }

    @Test("the throwing initializer reports every problem at once")
    func everyProblem() throws {
        let error = #expect(throws: ChatTransportConfigError.self) {
            try ChatTransportConfig(
                validating: "", webSocket: "https://ws.example", dataStore: "http://files.example",
                dataStoreHTTPHeaders: ["bad name": "x", "X-Good": "line\r\ns3cret"])
        }
        let problems = try #require(error).problems
        #expect(problems.map(\.field) == [.rest, .webSocket, .dataStore, .dataStoreHTTPHeaders, .dataStoreHTTPHeaders])
        #expect(problems.map(\.code) == [.empty, .wrongScheme, .cleartext, .invalidHeader, .invalidHeader])
        #expect(!"\(try #require(error))".contains("s3cret"), "a header's value may be a secret")
    }

    @Test("headers that are set later are checked as well")
    func headersSetLater() {
        var config = ChatTransportConfig(cloudHost: "x.example")
        config.dataStoreHTTPHeaders = ["": "x"]
        #expect(config.problems.map(\.code) == [.invalidHeader])
        config.dataStoreHTTPHeaders = [:]
        #expect(config.problems.isEmpty)
    }

    @Test("the description shows no header value")
    func description() {
        let config = ChatTransportConfig(
            rest: "https://a.example", webSocket: "wss://a.example", dataStore: "https://a.example",
            dataStoreHTTPHeaders: ["X-Key": "secret-value"])
        #expect(config.debugDescription.contains("X-Key"))
        #expect(!config.debugDescription.contains("secret-value"))
        #expect(ChatTransportConfig(cloudHost: "").debugDescription.contains("unusable"))
    }
}
