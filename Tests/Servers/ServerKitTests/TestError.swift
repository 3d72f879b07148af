import ServerKit

/// A server error for the tests of this module.
struct TestError: ServerError {
    let failure: ServerFailure

    init(_ failure: ServerFailure) { self.failure = failure }
}
