"""pyca/cryptography's verifier, and its readers of lists and timestamps, for scripts/differential.py."""
import datetime
import hashlib
import ipaddress
import warnings

import cryptography
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.x509 import verification

warnings.simplefilter("ignore")
VERSION = cryptography.__version__
if int(VERSION.split(".")[0]) < 45:
    raise ImportError(f"cryptography {VERSION} is too old (45 is needed)")
UTC = datetime.timezone.utc
ALL_REASONS = frozenset(reason for reason in x509.ReasonFlags if reason.name not in ("unspecified", "remove_from_crl"))
KNOWN = {x509.AuthorityKeyIdentifier.oid, x509.CRLNumber.oid, x509.DeltaCRLIndicator.oid}
KNOWN |= {x509.IssuingDistributionPoint.oid}
KNOWN_IN_ENTRIES = {x509.CRLReason.oid, x509.InvalidityDate.oid, x509.CertificateIssuer.oid}


def verify(case):
    """Returns None if the verifier accepts the chain, or its reason."""
    try:
        anchors = [x509.load_der_x509_certificate(der) for der in case["anchors"]]
        chain = [x509.load_der_x509_certificate(der) for der in case["chain"]]
        try:
            subject = x509.IPAddress(ipaddress.ip_address(case["host"]))
        except ValueError:
            subject = x509.DNSName(case["host"])
        time = datetime.datetime.fromtimestamp(case["time"], UTC).replace(tzinfo=None)
        builder = verification.PolicyBuilder().store(verification.Store(anchors)).time(time)
        builder.max_chain_depth(12).build_server_verifier(subject).verify(chain[0], chain[1:])
        return None
    except (verification.VerificationError, ValueError, TypeError, x509.UnsupportedGeneralNameType) as error:
        return f"{str(error).split('(encountered')[0].strip()}" or type(error).__name__


# MARK: Timestamps


def timestamps(case, path):
    """Returns (log identifier, milliseconds, whether the signature is valid) of each embedded timestamp."""
    leaf, issuer = [x509.load_der_x509_certificate(der) for der in path[:2]]
    keys = {hashlib.sha256(log["key"]).digest(): log["key"] for log in case["logs"]}
    try:
        items = leaf.extensions.get_extension_for_class(x509.PrecertificateSignedCertificateTimestamps).value
    except x509.ExtensionNotFound:
        return []
    except ValueError:
        return None
    info = issuer.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    body = leaf.tbs_precertificate_bytes
    entry = b"\0\1" + hashlib.sha256(info).digest() + len(body).to_bytes(3, "big") + body
    result = []
    for item in items:
        since = item.timestamp.replace(tzinfo=UTC) - datetime.datetime(1970, 1, 1, tzinfo=UTC)
        milliseconds = since // datetime.timedelta(milliseconds=1)
        extensions = len(item.extension_bytes).to_bytes(2, "big") + item.extension_bytes
        signed = b"\0\0" + milliseconds.to_bytes(8, "big") + entry + extensions
        key = keys.get(item.log_id)
        is_valid = key is not None and milliseconds <= case["time"] * 1000 and is_signed(item, key, signed)
        result.append((item.log_id, milliseconds, is_valid))
    return result


def is_signed(item, key, signed):
    try:
        if item.signature_hash_algorithm.name != "sha256":
            return False
        public = serialization.load_der_public_key(key)
        if isinstance(public, ec.EllipticCurvePublicKey):
            if item.signature_algorithm != x509.certificate_transparency.SignatureAlgorithm.ECDSA:
                return False
            public.verify(item.signature, signed, ec.ECDSA(hashes.SHA256()))
        else:
            if item.signature_algorithm != x509.certificate_transparency.SignatureAlgorithm.RSA:
                return False
            public.verify(item.signature, signed, padding.PKCS1v15(), hashes.SHA256())
        return True
    except (InvalidSignature, ValueError):
        return False


# MARK: Revocation lists


def revocation(case):
    """Returns None if each certificate of the path has current lists for all reasons, and none revokes it.

    The path is the chain of the case and its only anchor. This is RFC 5280, 6.3.3, for lists that an authority of the
    path signs itself.
    """
    try:
        path = [x509.load_der_x509_certificate(der) for der in case["chain"] + case["anchors"][:1]]
        lists = [item for item in map(readable, case["lists"]) if item is not None]
        time = datetime.datetime.fromtimestamp(case["time"], UTC)
        for position, certificate in enumerate(path[:-1]):
            reason = status(certificate, path[position + 1:], lists, time)
            if reason:
                return f"{position}: {reason}"
        return None
    except ValueError as error:
        return f"unreadable: {error}"


def readable(der):
    """Returns a list, or None if it cannot be read. An unreadable list counts as missing."""
    try:
        item = x509.load_der_x509_crl(der)
        list(item.extensions)
        return item
    except (ValueError, TypeError, x509.DuplicateExtension, x509.UnsupportedGeneralNameType):
        return None


def status(certificate, authorities, lists, time):
    points = [None]
    try:
        points = list(certificate.extensions.get_extension_for_class(x509.CRLDistributionPoints).value)
    except x509.ExtensionNotFound:
        pass
    covered, last = frozenset(), "no list"
    deltas = [item for item in lists if extension(item, x509.DeltaCRLIndicator) is not None]
    for point in points:
        for item in lists:
            if extension(item, x509.DeltaCRLIndicator) is not None:
                continue
            fault = fault_of(item, certificate, authorities, time, point)
            if fault:
                last = fault if last == "no list" else last
                continue
            revoked = entry_of(item, certificate)
            for delta in deltas:
                if fault_of(delta, certificate, authorities, time, point) or not extends(delta, item):
                    continue
                change = entry_of(delta, certificate)
                if change == "remove_from_crl":
                    # RFC 5280, 5.3.1: only a hold is lifted.
                    revoked = None if revoked == "certificate_hold" else revoked
                elif change:
                    revoked = change
            if revoked:
                return "revoked"
            scope = extension(item, x509.IssuingDistributionPoint)
            reasons = frozenset((scope and scope.only_some_reasons) or ALL_REASONS)
            covered |= reasons & frozenset((point and point.reasons) or ALL_REASONS)
    return None if covered >= ALL_REASONS else last if not covered else "not all reasons"


def extension(item, kind):
    try:
        return item.extensions.get_extension_for_class(kind).value
    except x509.ExtensionNotFound:
        return None


def fault_of(item, certificate, authorities, time, point):
    """Returns the reason why a list does not count for the certificate and one of its distribution points."""
    expected = certificate.issuer
    if point is not None and point.crl_issuer:
        expected = next((name.value for name in point.crl_issuer if isinstance(name, x509.DirectoryName)), expected)
    if item.issuer != expected:
        return "no list"
    scope = extension(item, x509.IssuingDistributionPoint)
    if scope is not None:
        is_authority = (extension(certificate, x509.BasicConstraints) or x509.BasicConstraints(False, None)).ca
        if scope.only_contains_attribute_certs or (scope.only_contains_user_certs and is_authority):
            return "scope"
        if scope.only_contains_ca_certs and not is_authority:
            return "scope"
        if scope.full_name and (point is None or not set(scope.full_name) & set(point.full_name or [])):
            return "scope"
    if any(other.critical and other.oid not in KNOWN for other in item.extensions):
        return "unsupported extension"
    for entry in item:
        if any(other.critical and other.oid not in KNOWN_IN_ENTRIES for other in entry.extensions):
            return "unsupported extension"
    if not item.last_update_utc <= time or item.next_update_utc is None or time > item.next_update_utc:
        return "not current"
    signers = [authority for authority in authorities if authority.subject == item.issuer]
    if not any(is_list_signer(item, signer) for signer in signers):
        return "signature"
    return None


def is_list_signer(item, signer):
    usage = extension(signer, x509.KeyUsage)
    if usage is not None and not usage.crl_sign:
        return False
    try:
        return item.is_signature_valid(signer.public_key())
    except (TypeError, ValueError):
        return False


def extends(delta, complete):
    number, base = extension(complete, x509.CRLNumber), extension(delta, x509.DeltaCRLIndicator)
    own = extension(delta, x509.CRLNumber)
    if number is None or own is None:
        return False
    same = extension(delta, x509.IssuingDistributionPoint) == extension(complete, x509.IssuingDistributionPoint)
    # RFC 5280, 5.2.4 (c), (d)
    return same and base.crl_number <= number.crl_number < own.crl_number


def entry_of(item, certificate):
    """Returns the reason with which the list revokes the certificate, or None."""
    issuer, found = item.issuer, None
    for entry in item:
        named = extension(entry, x509.CertificateIssuer)
        if named is not None:
            issuer = named.get_values_for_type(x509.DirectoryName)[0]
        if entry.serial_number == certificate.serial_number and issuer == certificate.issuer:
            reason = extension(entry, x509.CRLReason)
            found = reason.reason.name if reason else "unspecified"
    return found
