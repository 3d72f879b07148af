#if PostgreSQL

import Testing

@testable import PostgreSQLClient

/// Which URLs are accepted, and what protects the connection.
@Suite("PostgreSQL address")
struct PostgreSQLAddressTests {
    private func parameters(
        _ url: String, dangerously: Bool = false, environment: [String: String] = [:]
    ) throws(PostgreSQLError) -> [String: String] {
        let address = try PostgreSQLAddress(
            url: url, dangerouslyAllowsUnverifiedServer: dangerously, environment: { environment[$0] })
        return Dictionary(uniqueKeysWithValues: address.parameters.map { ($0.keyword, $0.value) })
    }

    @Test(arguments: ["postgresql://c@db.example/r", "postgres://c@192.0.2.1:5432/r", "postgresql://c@a,b/r"])
    func networkConnectionsAreVerified(_ url: String) throws {
        let found = try parameters(url)
        #expect(found["sslmode"] == "verify-full")
        #expect(found["channel_binding"] == "require")
        #expect(found["gssencmode"] == "disable")
        #expect(found["ssl_min_protocol_version"] == "TLSv1.2")
    }

    @Test(arguments: [
        "sslmode=require", "sslmode=disable", "sslmode=verify-ca", "sslmode=prefer", "channel_binding=prefer",
        "channel_binding=disable", "sslmode=verify-full&channel_binding=disable",
    ])
    func weakerSettingsNeedTheOption(_ setting: String) throws {
        let url = "postgresql://c@db.example/r?" + setting
        #expect(throws: PostgreSQLError.self) { try parameters(url) }
        let found = try parameters(url, dangerously: true)
        for pair in setting.split(separator: "&") {
            let parts = pair.split(separator: "=").map(String.init)
            #expect(found[parts[0]] == parts[1])
        }
    }

    @Test func gssapiCannotReplaceTLS() throws {
        #expect(try parameters("postgresql://c@db.example/r?gssencmode=require")["gssencmode"] == "disable")
    }

    @Test(arguments: ["postgresql:///r?host=/run/postgresql", "postgresql://%2Frun%2Fpostgresql/r"])
    func unixSocketsNeedNoTLS(_ url: String) throws {
        let address = try PostgreSQLAddress(url: url, environment: { _ in nil })
        #expect(!address.requiresTLS)
        #expect(try parameters(url)["sslmode"] == nil)
    }

    @Test(arguments: [
        "", "db.example", "http://db.example/r", "postgresql://", "postgresql:///r", "postgresql://c@db.example:x/r",
        "postgresql://c@db.example:0/r", "postgresql://c@db.example:99999/r", "postgresql://c@db.example/r?nonsense=1",
        "postgresql://c:pa%zz@db.example/r",
        "postgresql:///r?host=/run,db.example", "postgresql:///r?host=/run&hostaddr=192.0.2.1",
        "postgresql://db.example/r?service=other", "postgresql://c@db.example/r\u{0}",
    ])
    func otherURLsAreRefused(_ url: String) {
        #expect { try parameters(url) } throws: { ($0 as? PostgreSQLError)?.code == .invalidURL }
    }

    @Test(arguments: ["PGSERVICE", "PGHOSTADDR"])
    func environmentCannotReplaceTheHost(_ name: String) {
        #expect(throws: PostgreSQLError.self) {
            try parameters("postgresql:///r?host=/run", environment: [name: "other"])
        }
    }

    @Test func noTextContainsThePassword() throws {
        for url in [
            "postgresql://c:secret-word@db.example/r", "postgresql://c:secret-word@db.example:x/r?y=secret-word",
        ] {
            do {
                let address = try PostgreSQLAddress(url: url, environment: { _ in nil })
                var text = "\(address) \(String(reflecting: address))"
                dump(address, to: &text)
                #expect(!text.contains("secret-word"))
                #expect(address.cleaned("password secret-word is\nwrong") == "password … is wrong")
            } catch {
                #expect(!error.description.contains("secret-word"))
            }
        }
    }

    @Test(arguments: [
        ("40001", PostgreSQLError.Code.conflict), ("40P01", .conflict), ("55P03", .conflict), ("57014", .timedOut),
        ("57P01", .connectionLost), ("57P03", .unreachable), ("08006", .connectionLost), ("28P01", .refusedConnection),
        ("23505", .refusedStatement), ("53100", .refusedStatement), ("", .refusedStatement),
    ])
    func statesAreClassified(_ state: String, _ code: PostgreSQLError.Code) {
        #expect(PostgreSQLError(state: state, message: "text").code == code)
    }
}

#endif
