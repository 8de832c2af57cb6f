// Botan's C++ classes behind the signatures of Botan's C interface (<botan/ffi.h>). The C
// interface has costs that the classes do not have: the interface allocates a buffer for each
// message, and copies a stream cipher's message into the buffer and out of it.
//
// The shim takes only whole messages: touchstone_cipher_update requires the final flag. Return
// codes are the codes of <botan/ffi.h>.

#include <botan/aead.h>
#include <botan/block_cipher.h>
#include <botan/cipher_mode.h>
#include <botan/exceptn.h>
#include <botan/ffi.h>
#include <botan/hash.h>
#include <botan/hmac_drbg.h>
#include <botan/mac.h>
#include <botan/stream_cipher.h>
#include <botan/version.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

// Either a cipher mode or a stream cipher. In Botan, a stream cipher is not a Cipher_Mode.
struct Cipher {
   std::unique_ptr<Botan::Cipher_Mode> mode;
   Botan::AEAD_Mode* aead = nullptr;
   std::unique_ptr<Botan::StreamCipher> stream;
   // The buffer for a message. The buffer keeps its memory between messages.
   Botan::secure_vector<uint8_t> buffer;

   Botan::Key_Length_Specification keys() const {
      return mode ? mode->key_spec() : stream->key_spec();
   }
};

template <typename Work>
int guarded(Work work) noexcept {
   try {
      return work();
   } catch(const Botan::Invalid_Authentication_Tag&) {
      return BOTAN_FFI_ERROR_BAD_MAC;
   } catch(const Botan::Invalid_Key_Length&) {
      return BOTAN_FFI_ERROR_INVALID_KEY_LENGTH;
   } catch(const Botan::Key_Not_Set&) {
      return BOTAN_FFI_ERROR_KEY_NOT_SET;
   } catch(const Botan::Lookup_Error&) {
      return BOTAN_FFI_ERROR_NOT_IMPLEMENTED;
   } catch(const Botan::Not_Implemented&) {
      return BOTAN_FFI_ERROR_NOT_IMPLEMENTED;
   } catch(const std::invalid_argument&) {
      return BOTAN_FFI_ERROR_BAD_PARAMETER;
   } catch(const Botan::Invalid_Argument&) {
      return BOTAN_FFI_ERROR_BAD_PARAMETER;
   } catch(const std::bad_alloc&) {
      return BOTAN_FFI_ERROR_OUT_OF_MEMORY;
   } catch(...) {
      return BOTAN_FFI_ERROR_EXCEPTION_THROWN;
   }
}

template <typename Object>
int made(void** handle, std::unique_ptr<Object> object) {
   if(!object) {
      return BOTAN_FFI_ERROR_NOT_IMPLEMENTED;
   }
   *handle = object.release();
   return BOTAN_FFI_SUCCESS;
}

template <typename Object>
int freed(void* handle) noexcept {
   delete static_cast<Object*>(handle);
   return BOTAN_FFI_SUCCESS;
}

Cipher& cipher(void* handle) {
   return *static_cast<Cipher*>(handle);
}

Botan::BlockCipher& block(void* handle) {
   return *static_cast<Botan::BlockCipher*>(handle);
}

Botan::HashFunction& hash(void* handle) {
   return *static_cast<Botan::HashFunction*>(handle);
}

Botan::MessageAuthenticationCode& mac(void* handle) {
   return *static_cast<Botan::MessageAuthenticationCode*>(handle);
}

Botan::HMAC_DRBG& drbg(void* handle) {
   return *static_cast<Botan::HMAC_DRBG*>(handle);
}

int lengths(const Botan::Key_Length_Specification& keys, size_t* least, size_t* most, size_t* step) {
   *least = keys.minimum_keylength();
   *most = keys.maximum_keylength();
   *step = keys.keylength_multiple();
   return BOTAN_FFI_SUCCESS;
}

}  // namespace

// Returns the version of the headers, as major and minor number. The classes differ between
// versions.
EXPORT uint32_t touchstone_botan_headers() {
   return BOTAN_VERSION_MAJOR << 16 | BOTAN_VERSION_MINOR;
}

// Returns the address of a function of the library that this shim calls. The worker compares
// the address, to see that the shim calls the library that the worker loaded.
EXPORT uint32_t (*touchstone_botan_function())() {
   return &botan_ffi_api_version;
}

EXPORT int touchstone_cipher_init(void** handle, const char* name, uint32_t flags) {
   return guarded([=] {
      auto made_here = std::make_unique<Cipher>();
      made_here->stream = Botan::StreamCipher::create(name);
      if(!made_here->stream) {
         const bool encrypt = (flags & BOTAN_CIPHER_INIT_FLAG_MASK_DIRECTION) == 0;
#if BOTAN_VERSION_MAJOR >= 3
         const auto way = encrypt ? Botan::Cipher_Dir::Encryption : Botan::Cipher_Dir::Decryption;
#else
         const auto way = encrypt ? Botan::ENCRYPTION : Botan::DECRYPTION;
#endif
         made_here->mode = Botan::Cipher_Mode::create(name, way);
         if(!made_here->mode) {
            return static_cast<int>(BOTAN_FFI_ERROR_NOT_IMPLEMENTED);
         }
         made_here->aead = dynamic_cast<Botan::AEAD_Mode*>(made_here->mode.get());
      }
      return made(handle, std::move(made_here));
   });
}

EXPORT int touchstone_cipher_destroy(void* handle) {
   return freed<Cipher>(handle);
}

EXPORT int touchstone_cipher_get_keyspec(void* handle, size_t* least, size_t* most, size_t* step) {
   return guarded([=] { return lengths(cipher(handle).keys(), least, most, step); });
}

EXPORT int touchstone_cipher_valid_nonce_length(void* handle, size_t length) {
   return guarded([=] {
      const Cipher& own = cipher(handle);
      return own.mode ? own.mode->valid_nonce_length(length) : own.stream->valid_iv_length(length);
   });
}

EXPORT int touchstone_cipher_get_tag_length(void* handle, size_t* length) {
   return guarded([=] {
      const Cipher& own = cipher(handle);
      *length = own.mode ? own.mode->tag_size() : 0;
      return BOTAN_FFI_SUCCESS;
   });
}

EXPORT int touchstone_cipher_set_key(void* handle, const uint8_t* key, size_t length) {
   return guarded([=] {
      Cipher& own = cipher(handle);
      own.mode ? own.mode->set_key(key, length) : own.stream->set_key(key, length);
      return BOTAN_FFI_SUCCESS;
   });
}

EXPORT int touchstone_cipher_set_associated_data(void* handle, const uint8_t* data, size_t length) {
   return guarded([=] {
      Cipher& own = cipher(handle);
      if(!own.aead) {
         return static_cast<int>(BOTAN_FFI_ERROR_BAD_PARAMETER);
      }
      own.aead->set_associated_data(data, length);
      return static_cast<int>(BOTAN_FFI_SUCCESS);
   });
}

EXPORT int touchstone_cipher_reset(void* handle) {
   return guarded([=] {
      if(cipher(handle).mode) {
         cipher(handle).mode->reset();
      }
      return BOTAN_FFI_SUCCESS;
   });
}

EXPORT int touchstone_cipher_start(void* handle, const uint8_t* nonce, size_t length) {
   return guarded([=] {
      Cipher& own = cipher(handle);
      if(own.mode) {
         own.mode->start(nonce, length);
      } else if(length > 0) {
         own.stream->set_iv(nonce, length);
      }
      return BOTAN_FFI_SUCCESS;
   });
}

EXPORT int touchstone_cipher_update(void* handle, uint32_t flags, uint8_t* output, size_t room,
                                    size_t* written, const uint8_t* input, size_t length,
                                    size_t* consumed) {
   return guarded([=] {
      Cipher& own = cipher(handle);
      *written = 0;
      *consumed = length;
      if((flags & BOTAN_CIPHER_UPDATE_FLAG_FINAL) == 0) {
         return static_cast<int>(BOTAN_FFI_ERROR_BAD_FLAG);
      }
      if(own.stream) {
         if(room < length) {
            return static_cast<int>(BOTAN_FFI_ERROR_INSUFFICIENT_BUFFER_SPACE);
         }
         own.stream->cipher(input, output, length);
         *written = length;
         return static_cast<int>(BOTAN_FFI_SUCCESS);
      }
      own.buffer.assign(input, input + length);
      own.mode->finish(own.buffer);
      if(room < own.buffer.size()) {
         return static_cast<int>(BOTAN_FFI_ERROR_INSUFFICIENT_BUFFER_SPACE);
      }
      std::memcpy(output, own.buffer.data(), own.buffer.size());
      *written = own.buffer.size();
      return static_cast<int>(BOTAN_FFI_SUCCESS);
   });
}

EXPORT int touchstone_block_cipher_init(void** handle, const char* name) {
   return guarded([=] { return made(handle, Botan::BlockCipher::create(name)); });
}

EXPORT int touchstone_block_cipher_destroy(void* handle) {
   return freed<Botan::BlockCipher>(handle);
}

EXPORT int touchstone_block_cipher_block_size(void* handle) {
   return guarded([=] { return static_cast<int>(block(handle).block_size()); });
}

EXPORT int touchstone_block_cipher_get_keyspec(void* handle, size_t* least, size_t* most,
                                               size_t* step) {
   return guarded([=] { return lengths(block(handle).key_spec(), least, most, step); });
}

EXPORT int touchstone_block_cipher_set_key(void* handle, const uint8_t* key, size_t length) {
   return guarded([=] {
      block(handle).set_key(key, length);
      return BOTAN_FFI_SUCCESS;
   });
}

EXPORT int touchstone_block_cipher_encrypt_blocks(void* handle, const uint8_t* input,
                                                  uint8_t* output, size_t blocks) {
   return guarded([=] {
      block(handle).encrypt_n(input, output, blocks);
      return BOTAN_FFI_SUCCESS;
   });
}

EXPORT int touchstone_block_cipher_decrypt_blocks(void* handle, const uint8_t* input,
                                                  uint8_t* output, size_t blocks) {
   return guarded([=] {
      block(handle).decrypt_n(input, output, blocks);
      return BOTAN_FFI_SUCCESS;
   });
}

EXPORT int touchstone_hash_init(void** handle, const char* name, uint32_t) {
   return guarded([=] { return made(handle, Botan::HashFunction::create(name)); });
}

EXPORT int touchstone_hash_destroy(void* handle) {
   return freed<Botan::HashFunction>(handle);
}

EXPORT int touchstone_hash_output_length(void* handle, size_t* length) {
   return guarded([=] {
      *length = hash(handle).output_length();
      return BOTAN_FFI_SUCCESS;
   });
}

EXPORT int touchstone_hash_update(void* handle, const uint8_t* input, size_t length) {
   return guarded([=] {
      hash(handle).update(input, length);
      return BOTAN_FFI_SUCCESS;
   });
}

EXPORT int touchstone_hash_final(void* handle, uint8_t* output) {
   return guarded([=] {
      hash(handle).final(output);
      return BOTAN_FFI_SUCCESS;
   });
}

EXPORT int touchstone_mac_init(void** handle, const char* name, uint32_t) {
   return guarded([=] { return made(handle, Botan::MessageAuthenticationCode::create(name)); });
}

EXPORT int touchstone_mac_destroy(void* handle) {
   return freed<Botan::MessageAuthenticationCode>(handle);
}

EXPORT int touchstone_mac_output_length(void* handle, size_t* length) {
   return guarded([=] {
      *length = mac(handle).output_length();
      return BOTAN_FFI_SUCCESS;
   });
}

EXPORT int touchstone_mac_get_keyspec(void* handle, size_t* least, size_t* most, size_t* step) {
   return guarded([=] { return lengths(mac(handle).key_spec(), least, most, step); });
}

EXPORT int touchstone_mac_set_key(void* handle, const uint8_t* key, size_t length) {
   return guarded([=] {
      mac(handle).set_key(key, length);
      return BOTAN_FFI_SUCCESS;
   });
}

EXPORT int touchstone_mac_set_nonce(void* handle, const uint8_t* nonce, size_t length) {
   return guarded([=] {
      mac(handle).start(nonce, length);
      return BOTAN_FFI_SUCCESS;
   });
}

EXPORT int touchstone_mac_update(void* handle, const uint8_t* input, size_t length) {
   return guarded([=] {
      mac(handle).update(input, length);
      return BOTAN_FFI_SUCCESS;
   });
}

EXPORT int touchstone_mac_final(void* handle, uint8_t* output) {
   return guarded([=] {
      mac(handle).final(output);
      return BOTAN_FFI_SUCCESS;
   });
}

// The C interface has no generator with entropy of the program's alone.
EXPORT int touchstone_drbg_init(void** handle, const char* name, const uint8_t* seed, size_t length) {
   return guarded([=] {
      auto prf = Botan::MessageAuthenticationCode::create(name);
      if(!prf) {
         return static_cast<int>(BOTAN_FFI_ERROR_NOT_IMPLEMENTED);
      }
      auto made_here = std::make_unique<Botan::HMAC_DRBG>(std::move(prf));
      made_here->initialize_with(seed, length);
      return made(handle, std::move(made_here));
   });
}

EXPORT int touchstone_drbg_destroy(void* handle) {
   return freed<Botan::HMAC_DRBG>(handle);
}

EXPORT int touchstone_drbg_add(void* handle, const uint8_t* entropy, size_t length) {
   return guarded([=] {
      drbg(handle).add_entropy(entropy, length);
      return BOTAN_FFI_SUCCESS;
   });
}

EXPORT int touchstone_drbg_generate(void* handle, const uint8_t* input, size_t length,
                                    uint8_t* output, size_t bytes) {
   return guarded([=] {
      drbg(handle).randomize_with_input(output, bytes, input, length);
      return BOTAN_FFI_SUCCESS;
   });
}
