import Testing

@testable import ChatCenter

/// The recorder of locks finds two locks that one thread takes in both orders, without a deadlock.
@Suite struct LockOrderTests {
    @Test func bothOrdersAreFound() {
        let hub = OrderedMutex(.hub, 0)
        let fates = OrderedMutex(.fates, 0)
        let order = LockOrder()
        order.record {
            hub.withLock { _ in fates.withLock { _ in } }
            #expect(order.fault == nil)
            fates.withLock { _ in hub.withLock { _ in } }
        }
        #expect(order.fault == "the locks fates and hub are taken in both orders")
    }

    @Test func aCycleOfThreeIsFound() {
        let hub = OrderedMutex(.hub, 0)
        let fates = OrderedMutex(.fates, 0)
        let inbox = OrderedMutex(.inbox, 0)
        let order = LockOrder()
        order.record {
            hub.withLock { _ in fates.withLock { _ in } }
            fates.withLock { _ in inbox.withLock { _ in } }
            #expect(order.fault == nil)
            inbox.withLock { _ in hub.withLock { _ in } }
        }
        #expect(order.fault != nil)
    }

    /// Another thread may take two locks of the same kind in any order.
    @Test func twoOfAKindAreFound() {
        let first = OrderedMutex(.broadcast, 0)
        let second = OrderedMutex(.broadcast, 0)
        let order = LockOrder()
        order.record { first.withLock { _ in second.withLock { _ in } } }
        #expect(order.fault != nil)
    }

    @Test func sequentialLocksHaveNoOrder() {
        let hub = OrderedMutex(.hub, 0)
        let fates = OrderedMutex(.fates, 0)
        let order = LockOrder()
        order.record {
            hub.withLock { _ in }
            fates.withLock { $0 += 1 }
            hub.withLock { _ in }
        }
        fates.withLock { _ in hub.withLock { _ in } }
        hub.withLock { _ in fates.withLock { _ in } }
        #expect(order.fault == nil)
        let count = fates.withLock { $0 }
        #expect(count == 1)
    }
}
