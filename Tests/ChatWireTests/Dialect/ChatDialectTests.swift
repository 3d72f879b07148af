import ChatWire
import Testing

@Suite struct ChatDialectTests {
    let dialect = ChatDialect.documented

    @Test func pathsAreThePages() {
        #expect(
            dialect.target(of: .configuration(appMarker: "my bank&x=1", apiVersion: 17))
                == "/api/chat/config?appMarker=my%20bank%26x%3D1&chatApiVersion=17")
        #expect(
            dialect.target(of: .configuration(appMarker: nil, apiVersion: 21)) == "/api/chat/config?chatApiVersion=21")
        #expect(
            dialect.target(of: .history(HistoryRequest(.before(uuid: "a/b"), count: 30)))
                == "/api/client/history?before=a%2Fb&count=30")
        #expect(
            dialect.target(of: .history(HistoryRequest(.after(uuid: "u"), count: 5)), newRoutesEnabled: false)
                == "/history?after=u&count=5")
        #expect(dialect.target(of: .history(HistoryRequest(.newest, count: 1))) == "/api/client/history?count=1")
        #expect(dialect.target(of: .unread, newRoutesEnabled: false) == "/api/client/history/unread")
        #expect(
            dialect.target(of: .search(query: "карта", page: 0, size: 20))
                == "/api/client/search?query=%D0%BA%D0%B0%D1%80%D1%82%D0%B0&page=0&size=20")
    }

    @Test func theTokenGoesWhereTheMethodSays() {
        let headers = WireCredentials(token: "Bearer t", scheme: "jwt")
        #expect(
            dialect.headers(for: headers)
                == [WireHeader("Authorization", "Bearer t"), WireHeader("X-Auth-Schema", "jwt")])
        let cookies = WireCredentials(token: "t", scheme: "jwt", method: .cookies)
        #expect(
            dialect.headers(for: cookies) == [WireHeader("Cookie", "Authorization=t; X-Auth-Schema=jwt")])
        #expect(dialect.headers(for: WireCredentials(method: .cookies)).isEmpty)
    }

    @Test func theClientIsNamedByItsDeviceOnceOneIsKnown() {
        #expect(dialect.identity(clientID: "c", deviceAddress: nil) == WireHeader("X-Client-Id", "c"))
        #expect(dialect.identity(clientID: "c", deviceAddress: "d") == WireHeader("X-Device-Address", "d"))
    }
}
