import ChatCenter
import Testing

@Suite struct ChatUserTests {
    @Test("updateData reaches every copy, and no other user")
    func updateData() {
        let user = ChatUser(identifier: "id-1", name: "Ann", data: ["a": "1"])
        let copy = user
        let other = ChatUser(identifier: "id-1", name: "Ann", data: ["a": "1"])
        user.updateData(data: ["b": "2"])
        #expect(copy.data == ["b": "2"])
        #expect(other.data == ["a": "1"])
        copy.updateData(data: nil)
        #expect(user.data == nil)
    }

    @Test("descriptions never contain credentials")
    func credentialsAreRedacted() {
        let auth = ChatAuth(token: "Bearer s3cret", scheme: "jwt", method: .cookies, signature: "s1gnature")
        struct Holder { let auth: ChatAuth }
        var dumped = ""
        dump(Holder(auth: auth), to: &dumped)
        for text in ["\(auth)", "\(Holder(auth: auth))", String(reflecting: auth), dumped] {
            #expect(!text.contains("s3cret"), "\(text)")
            #expect(!text.contains("s1gnature"), "\(text)")
        }
    }
}
