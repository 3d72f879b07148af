"""OpenSSL's verifier through its C library, for scripts/differential.py. One process verifies thousands of chains."""
import base64
import ctypes
import ctypes.util
import os
import tempfile

NAMES = ["libcrypto.so.3", "libcrypto.3.dylib"]
SSL_SERVER = 2
CRL_CHECK, CRL_CHECK_ALL, EXTENDED_CRLS, USE_DELTAS = 0x4, 0x8, 0x1000, 0x2000
PARTIAL_CHAIN = 0x80000
POLICY_CHECK, EXPLICIT_POLICY, INHIBIT_ANY, INHIBIT_MAP = 0x80, 0x100, 0x200, 0x400
ANY_POLICY = "2.5.29.32.0"
EMBEDDED_TIMESTAMPS = 951  # NID_ct_precert_scts
VALID_TIMESTAMP = 2  # SCT_VALIDATION_STATUS_VALID


class OpenSSL:
    """The functions of libcrypto that the comparison needs."""

    def __init__(self):
        self.library = self.load()
        pointers = """X509_STORE_new X509_STORE_CTX_new X509_STORE_CTX_get0_param OPENSSL_sk_new_null d2i_X509
            d2i_X509_CRL OBJ_txt2obj X509_get_ext_d2i CT_POLICY_EVAL_CTX_new CTLOG_STORE_new OPENSSL_sk_value"""
        for name in pointers.split():
            getattr(self.library, name).restype = ctypes.c_void_p
        for name in ["X509_verify_cert_error_string", "OpenSSL_version"]:
            getattr(self.library, name).restype = ctypes.c_char_p
        self.library.X509_verify_cert_error_string.argtypes = [ctypes.c_long]
        self.library.SCT_get_timestamp.restype = ctypes.c_uint64
        self.library.SCT_get0_log_id.restype = ctypes.c_size_t
        self.version = self.library.OpenSSL_version(0).decode()
        self.log_stores = {}

    @staticmethod
    def load():
        found = ctypes.util.find_library("crypto")
        for name in NAMES + ([found] if found else []):
            try:
                library = ctypes.CDLL(name)
                library.OpenSSL_version_num.restype = ctypes.c_ulong
                if library.OpenSSL_version_num() >> 28 == 3:
                    return library
            except (OSError, AttributeError):
                continue
        raise OSError("OpenSSL 3 (libcrypto.so.3) is not installed")

    def parse(self, function, der):
        buffer = ctypes.create_string_buffer(der, len(der))
        pointer = ctypes.c_void_p(ctypes.addressof(buffer))
        value = function(None, ctypes.byref(pointer), ctypes.c_long(len(der)))
        self.library.ERR_clear_error()
        return ctypes.c_void_p(value) if value else None

    def verify(self, case, flags=0):
        """Returns None if OpenSSL accepts the case, or its reason."""
        lib = self.library
        certificates = [self.parse(lib.d2i_X509, der) for der in case["chain"]]
        anchors = [self.parse(lib.d2i_X509, der) for der in case["anchors"]]
        lists = [self.parse(lib.d2i_X509_CRL, der) for der in case["lists"]]
        store = ctypes.c_void_p(lib.X509_STORE_new())
        context = ctypes.c_void_p(lib.X509_STORE_CTX_new())
        stack = ctypes.c_void_p(lib.OPENSSL_sk_new_null())
        try:
            if not certificates or certificates[0] is None:
                return "unreadable certificate"
            if case["lists"] and None in lists:
                return "unreadable list"
            for anchor in filter(None, anchors):
                lib.X509_STORE_add_cert(store, anchor)
            for item in lists:
                lib.X509_STORE_add_crl(store, item)
            for certificate in filter(None, certificates[1:]):
                lib.OPENSSL_sk_push(stack, certificate)
            lib.X509_STORE_CTX_init(context, store, certificates[0], stack)
            parameters = ctypes.c_void_p(lib.X509_STORE_CTX_get0_param(context))
            flags |= PARTIAL_CHAIN if case["endsAtAnyAnchor"] else 0
            flags |= self.set_policies(parameters, case.get("policies"))
            lib.X509_VERIFY_PARAM_set_flags(parameters, ctypes.c_ulong(flags))
            lib.X509_VERIFY_PARAM_set_time(parameters, ctypes.c_int64(case["time"]))
            lib.X509_VERIFY_PARAM_set_purpose(parameters, SSL_SERVER)
            host = case["host"].encode()
            if not lib.X509_VERIFY_PARAM_set1_ip_asc(parameters, host):
                lib.X509_VERIFY_PARAM_set1_host(parameters, host, ctypes.c_size_t(len(host)))
            if lib.X509_verify_cert(context) == 1:
                return None
            error = lib.X509_STORE_CTX_get_error(context)
            return f"{error}: {lib.X509_verify_cert_error_string(error).decode()}"
        finally:
            lib.X509_STORE_CTX_free(context)
            lib.OPENSSL_sk_free(stack)
            lib.X509_STORE_free(store)
            for item in filter(None, certificates + anchors):
                lib.X509_free(item)
            for item in filter(None, lists):
                lib.X509_CRL_free(item)
            lib.ERR_clear_error()

    def set_policies(self, parameters, policies):
        if policies is None:
            return 0
        # Without a set, OpenSSL accepts no policy. In RFC 5280, the default is any policy.
        for name in policies.get("accepted") or [ANY_POLICY]:
            identifier = ctypes.c_void_p(self.library.OBJ_txt2obj(name.encode(), 1))
            self.library.X509_VERIFY_PARAM_add0_policy(parameters, identifier)
        chosen = [(True, POLICY_CHECK), (policies["explicit"], EXPLICIT_POLICY)]
        chosen += [(policies["inhibitMapping"], INHIBIT_MAP), (policies["inhibitAny"], INHIBIT_ANY)]
        return sum(flag for is_set, flag in chosen if is_set)

    def log_store(self, logs):
        """Returns the store of these logs. A store can only be read from a file."""
        keys = tuple(sorted(log["key"] for log in logs))
        if keys not in self.log_stores:
            names = [f"log{number}" for number in range(len(keys))]
            text = "enabled_logs = " + ",".join(names) + "\n"
            for name, key in zip(names, keys):
                text += f"[{name}]\ndescription = {name}\nkey = {base64.b64encode(key).decode()}\n"
            with tempfile.NamedTemporaryFile("w", suffix=".cnf", delete=False) as file:
                file.write(text)
            store = ctypes.c_void_p(self.library.CTLOG_STORE_new())
            loaded = self.library.CTLOG_STORE_load_file(store, file.name.encode())
            os.unlink(file.name)
            if loaded != 1:
                raise OSError("OpenSSL cannot read the list of logs")
            self.log_stores[keys] = store
        return self.log_stores[keys]

    def timestamps(self, case, path):
        """Returns (log identifier, milliseconds, whether the signature is valid) of each embedded timestamp."""
        lib = self.library
        leaf, issuer = [self.parse(lib.d2i_X509, der) for der in path[:2]]
        context = ctypes.c_void_p(lib.CT_POLICY_EVAL_CTX_new())
        result = []
        try:
            critical = ctypes.c_int(0)
            found = lib.X509_get_ext_d2i(leaf, EMBEDDED_TIMESTAMPS, ctypes.byref(critical), None)
            if not found:
                return [] if critical.value == -1 else None
            stack = ctypes.c_void_p(found)
            lib.CT_POLICY_EVAL_CTX_set1_cert(context, leaf)
            lib.CT_POLICY_EVAL_CTX_set1_issuer(context, issuer)
            lib.CT_POLICY_EVAL_CTX_set_shared_CTLOG_STORE(context, self.log_store(case["logs"]))
            lib.CT_POLICY_EVAL_CTX_set_time(context, ctypes.c_uint64(case["time"] * 1000))
            for index in range(lib.OPENSSL_sk_num(stack)):
                item = ctypes.c_void_p(lib.OPENSSL_sk_value(stack, index))
                lib.SCT_validate(item, context)
                pointer = ctypes.c_void_p()
                length = lib.SCT_get0_log_id(item, ctypes.byref(pointer))
                identifier = ctypes.string_at(pointer, length) if pointer.value else b""
                is_valid = lib.SCT_get_validation_status(item) == VALID_TIMESTAMP
                result.append((identifier, lib.SCT_get_timestamp(item), is_valid))
            lib.SCT_LIST_free(stack)
            return result
        finally:
            lib.CT_POLICY_EVAL_CTX_free(context)
            lib.X509_free(leaf)
            lib.X509_free(issuer)
            lib.ERR_clear_error()
