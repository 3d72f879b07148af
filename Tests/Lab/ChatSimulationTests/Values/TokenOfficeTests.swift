import Testing

@testable import ChatSimulation

/// The users' access tokens.
@Suite struct TokenOfficeTests {
    @Test func aRenewedTokenIsAnotherOne() {
        var office = TokenOffice()
        let (first, second) = (office.token(of: 0), office.token(of: 1))
        office.renew(0)
        #expect(office.token(of: 0) != first)
        #expect(office.token(of: 1) == second)
    }

    @Test func tokensNameTheirOwners() {
        var office = TokenOffice()
        office.renew(1)
        for user in SimulationSetup.users.indices {
            #expect(TokenOffice.owner(ofToken: office.token(of: user)) == SimulationSetup.users[user])
        }
        #expect(TokenOffice.owner(ofToken: nil) == nil)
    }
}
