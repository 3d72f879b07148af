/// Something to be measured: how it is called, and how it is done so many times.
struct Subject {
    var group: String
    var name: String
    /// Does it `count` times. Answers whether it came out as it should, so that nothing wrong is measured.
    var run: (_ count: Int) async throws -> Bool

    /// Something that is done at once.
    init(_ group: String, _ name: String, _ body: @escaping () throws -> Bool) {
        self.group = group
        self.name = name
        self.run = { count in
            var isRight = true
            for _ in 0..<count { isRight = try body() && isRight }
            return isRight
        }
    }

    /// Something that has to be waited for.
    init(_ group: String, _ name: String, awaiting body: @escaping () async throws -> Bool) {
        self.group = group
        self.name = name
        self.run = { count in
            var isRight = true
            for _ in 0..<count { isRight = try await body() && isRight }
            return isRight
        }
    }
}
